import { saturate, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { rmsAt } from "@parley/audio/level";

/** ITU-T V.21 channel 2: 300 bits a second, a one is 1,650 Hz and a zero is 1,850 Hz. */
const BITS_PER_SECOND = 300;
const ONE_HZ = 1_650;
const ZERO_HZ = 1_850;
/** T.30 section 5.3.1: every signal begins with flags (01111110) for a second. */
const FLAG = [0, 1, 1, 1, 1, 1, 1, 0] as const;
const PREAMBLE_SECONDS = 1;
const LEVEL_DBFS = -17;

/** What a fax machine sends after its answer tone, to say what it can do: the part of it that every fax has. */
export function renderFaxPreamble(): Int16Array {
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
