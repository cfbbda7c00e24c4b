import { FAX_ANSWER, RINGBACK, type ToneRegion, VOICEMAIL_BEEP } from "@parley/audio/call-signals";
import { renderSignal, signalDurationMs } from "@parley/audio/signal";
import { renderFaxPreamble } from "./fax-preamble.ts";

/** Sounds of callees that are not words. */
export type NetworkSound = "beep" | "ringback" | "fax_answer" | "fax_preamble";

const RENDERERS: Readonly<Record<NetworkSound, () => Int16Array>> = {
  beep: () => renderSignal(VOICEMAIL_BEEP, signalDurationMs(VOICEMAIL_BEEP)),
  ringback: () => renderSignal(RINGBACK.us, signalDurationMs(RINGBACK.us)),
  fax_answer: () => renderSignal(FAX_ANSWER, signalDurationMs(FAX_ANSWER)),
  fax_preamble: renderFaxPreamble,
};
const rendered = new Map<NetworkSound, Int16Array>();

/** The sound from its beginning to its end. It is shared: who plays it does not change it. */
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
