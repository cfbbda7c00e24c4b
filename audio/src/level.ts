import { SAMPLE_MIN } from "./frame.ts";

/**
 * Levels are in decibels against the overload point: a square wave between the rails is 0 dBFS and a sine between them
 * is -3.01 dBFS. Telephone levels are in dBm0: G.711 carries a sine of up to 3.17 dBm0 (mu-law), which is the constant.
 */
export const DBM0_OF_FULL_SCALE = 6.18;

const FULL_SCALE = -SAMPLE_MIN;
/** The level of digital silence, which has none. */
export const SILENCE_DBFS = -120;

/** Root mean square of a piece of audio, in sample units. */
export function rmsOf(samples: Int16Array): number {
  if (samples.length === 0) return 0;
  let sum = 0;
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] as number;
    sum += sample * sample;
  }
  return Math.sqrt(sum / samples.length);
}

export function dbfsOf(rms: number): number {
  return rms <= 0 ? SILENCE_DBFS : Math.max(SILENCE_DBFS, 20 * Math.log10(rms / FULL_SCALE));
}

/** The root mean square of audio at a level. */
export function rmsAt(levelDbfs: number): number {
  return FULL_SCALE * 10 ** (levelDbfs / 20);
}

export function levelDbfsOf(samples: Int16Array): number {
  return dbfsOf(rmsOf(samples));
}

/** The largest distance from zero, at most 32,768. */
export function peakOf(samples: Int16Array): number {
  let peak = 0;
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] as number;
    const distance = sample < 0 ? -sample : sample;
    if (distance > peak) peak = distance;
  }
  return peak;
}

/** The factor for a change in decibels. */
export function gainOf(changeDb: number): number {
  return 10 ** (changeDb / 20);
}
