import { samplesIn } from "@parley/audio/frame";

/** Quieter than this nothing is heard over a telephone: -55 dBFS. */
const AUDIBLE_MIN = 58;
/** What is kept before the first sound, so that a soft beginning is not cut. */
const KEPT_SAMPLES = samplesIn(5);
/** Sound that begins later than this is meant to. */
const SKIPPED_SAMPLES_MAX = samplesIn(60);

/** The sound without the silence that engines put before it: at the beginning of a reply somebody waits for it. */
export function skipLead(samples: Int16Array): Int16Array {
  const lookedAt = samples.subarray(0, SKIPPED_SAMPLES_MAX + KEPT_SAMPLES);
  const first = lookedAt.findIndex((sample) => Math.abs(sample) >= AUDIBLE_MIN);
  return first > KEPT_SAMPLES ? samples.subarray(first - KEPT_SAMPLES) : samples;
}
