import { FAX_ANSWER, RINGBACK, type ToneRegion, VOICEMAIL_BEEP } from "@parley/audio/call-signals";
import { saturate, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { rmsAt } from "@parley/audio/level";
import { renderSignal, signalDurationMs } from "@parley/audio/signal";

/** Sounds of callees that are not words. */
export type NetworkSound = "beep" | "ringback" | "fax_answer" | "fax_preamble";

const RENDERERS: Readonly<Record<NetworkSound, () => Int16Array>> = {
  beep: () => renderSignal(VOICEMAIL_BEEP, signalDurationMs(VOICEMAIL_BEEP)),
  ringback: () => renderSignal(RINGBACK.us, signalDurationMs(RINGBACK.us)),
  fax_answer: () => renderSignal(FAX_ANSWER, signalDurationMs(FAX_ANSWER)),
  fax_preamble: renderFaxPreamble,
};
const rendered = new Map<NetworkSound, Int16Array>();

/** The audio from its beginning to its end. It is shared, so a player must not change it. */
export function networkSound(name: NetworkSound): Int16Array {
  const known = rendered.get(name) ?? RENDERERS[name]();
  rendered.set(name, known);
  return known;
}

/** How ringing sounds where a number is: North America, Great Britain and Ireland, or elsewhere. */
export function ringbackRegion(to: string): ToneRegion {
  if (/^\+?1/.test(to)) return "us";
  return /^\+?(44|353)/.test(to) ? "uk" : "eu";
}

/** ITU-T V.21 channel 2: 300 bits a second, a one is 1,650 Hz and a zero is 1,850 Hz. */
const BITS_PER_SECOND = 300;
const ONE_HZ = 1_650;
const ZERO_HZ = 1_850;
/** T.30 section 5.3.1: every signal begins with flags (01111110) for a second. */
const FLAG = [0, 1, 1, 1, 1, 1, 1, 0] as const;
const PREAMBLE_SECONDS = 1;
const LEVEL_DBFS = -17;

/** What a fax machine sends after its answer tone to announce its capabilities: the part common to every fax. */
function renderFaxPreamble(): Int16Array {
  const samples = new Int16Array(PREAMBLE_SECONDS * TELEPHONE_RATE_HZ);
  const amplitude = rmsAt(LEVEL_DBFS) * Math.SQRT2;
  let phase = 0;
  for (let index = 0; index < samples.length; index++) {
    const bit = FLAG[Math.floor((index * BITS_PER_SECOND) / TELEPHONE_RATE_HZ) % FLAG.length];
    phase += (2 * Math.PI * (bit === 1 ? ONE_HZ : ZERO_HZ)) / TELEPHONE_RATE_HZ;
    samples[index] = saturate(amplitude * Math.sin(phase));
  }
  return samples;
}
