import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { rmsAt, rmsOf } from "@parley/audio/level";
import { resampleClip } from "@parley/audio/resample";
import { MOONSHINE_RATE_HZ } from "./moonshine-weights.ts";
import { reduceNoise } from "./reduce-noise.ts";

/** The model loses its way in longer sound. */
export const UTTERANCE_MAX_MS = 15_000;
/** Less than this has no word in it, and the networks need a few frames to begin with. */
const UTTERANCE_MIN_MS = 200;
const LEAD_MS = 200;
const TAIL_MS = 300;
const WINDOW_MS = 20;
/** Quieter than the loudest part by this much is not speech any more. */
const QUIET_DB = 35;

/**
 * Cuts telephone sound down to the speech and brings it to the model's rate. Silence around it makes the model say
 * nothing at all, so only a little is left; and of what is too long the end is kept, because that is what was said last.
 */
export function prepareUtterance(samples: Int16Array): Float32Array {
  const { start, end } = speechIn(samples);
  const longest = samplesIn(UTTERANCE_MAX_MS);
  const first = Math.max(start, end - longest);
  const wide = resampleClip(reduceNoise(samples.subarray(first, end)), TELEPHONE_RATE_HZ, MOONSHINE_RATE_HZ);
  const least = samplesIn(UTTERANCE_MIN_MS, MOONSHINE_RATE_HZ);
  const out = new Float32Array(Math.max(wide.length, least));
  for (let index = 0; index < wide.length; index++) out[index] = (wide[index] as number) / 32_768;
  return out;
}

function speechIn(samples: Int16Array): { start: number; end: number } {
  const window = samplesIn(WINDOW_MS);
  const levels: number[] = [];
  for (let at = 0; at < samples.length; at += window) levels.push(rmsOf(samples.subarray(at, at + window)));
  const threshold = (Math.max(...levels, 0) * rmsAt(-QUIET_DB)) / rmsAt(0);
  const first = levels.findIndex((level) => level > threshold);
  const last = levels.findLastIndex((level) => level > threshold);
  if (first < 0) return { start: 0, end: samples.length };
  return {
    start: Math.max(0, first * window - samplesIn(LEAD_MS)),
    end: Math.min(samples.length, (last + 1) * window + samplesIn(TAIL_MS)),
  };
}
