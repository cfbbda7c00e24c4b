import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { ToneGenerator } from "@parley/audio/tone";

const LEVEL_DBFS = -11;
const STEP_SAMPLES = 8;

/** A gliding tone: it never repeats itself, so that only the right moment of a recording matches it. */
export function chirp(
  { fromHz, toHz }: { readonly fromHz: number; readonly toHz: number },
  durationMs: number,
): Int16Array {
  const samples = new Int16Array((durationMs * TELEPHONE_RATE_HZ) / 1000);
  const tone = new ToneGenerator();
  for (let at = 0; at < samples.length; at += STEP_SAMPLES) {
    const frequencyHz = fromHz + ((toHz - fromHz) * at) / samples.length;
    tone.change([{ frequencyHz, levelDbfs: LEVEL_DBFS }]);
    tone.fill(samples, at, Math.min(at + STEP_SAMPLES, samples.length));
  }
  return samples;
}
