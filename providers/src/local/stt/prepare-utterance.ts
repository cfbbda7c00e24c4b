import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { rmsAt, rmsOf } from "@parley/audio/level";
import { resampleClip } from "@parley/audio/resample";
import { MOONSHINE_RATE_HZ } from "./moonshine-weights.ts";

/** The model gets lost in longer audio. */
export const UTTERANCE_MAX_MS = 15_000;
/** Less than this contains no word, and the networks need a few frames to start with. */
const UTTERANCE_MIN_MS = 200;
const LEAD_MS = 200;
const TAIL_MS = 300;
const WINDOW_MS = 20;
/** Audio this much quieter than the loudest part is not speech. */
const QUIET_DB = 35;

/**
 * Cuts telephone audio down to the speech and resamples it to the model's rate. Surrounding silence makes the model
 * return nothing at all, so only a little is left; if it is too long the end is kept, because that was said last.
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

const FRAME = 256;
const HOP = FRAME / 2;
const BINS = HOP + 1;
/** The quietest frames of an utterance show the noise under all of it. */
const QUIET_SHARE = 0.12;
const QUIET_FRAMES_MIN = 3;
const LOUD_SHARE = 0.3;
/** A line with less noise than this under the voice is left unchanged: removing noise also removes a little voice. */
const CLEAN_DB = 18;
/** The remaining gain of a bin without voice. Less sounds cleaner to people and stranger to the recognizer. */
const GAIN_MIN = 0.2;
/** How much of a bin's voice is expected to be as it was a frame ago; less causes musical noise. */
const STEADINESS = 0.9;

/** Square root of a raised cosine: overlapping halves add up to one when it is applied before and after. */
const WINDOW = Float64Array.from({ length: FRAME }, (_, index) =>
  Math.sqrt(0.5 - 0.5 * Math.cos((2 * Math.PI * index) / FRAME)),
);

interface Spectrum {
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
  readonly powers: Float64Array;
}

/** Removes steady noise from 8 kHz audio with a Wiener filter. A good line is returned unchanged. */
export function reduceNoise(samples: Int16Array): Int16Array {
  const quiet = quietFrames(samples);
  if (quiet === null) return samples;
  const frames = spectraOf(samples);
  const noise = Float64Array.from({ length: BINS }, (_, bin) => {
    return quiet.reduce((sum, index) => sum + (frames[index]?.powers[bin] ?? 0), 0) / quiet.length;
  });
  const cleaned = new Float64Array(samples.length + FRAME);
  const voice = new Float64Array(BINS).fill(1);
  for (const [index, { real, imaginary, powers }] of frames.entries()) {
    for (let bin = 0; bin < BINS; bin++) {
      const ratio = (powers[bin] as number) / ((noise[bin] as number) + 1);
      const expected = STEADINESS * (voice[bin] as number) + (1 - STEADINESS) * Math.max(0, ratio - 1);
      const gain = Math.max(GAIN_MIN, expected / (1 + expected));
      voice[bin] = gain * gain * ratio;
      for (const at of bin === 0 || bin === HOP ? [bin] : [bin, FRAME - bin]) {
        real[at] = (real[at] as number) * gain;
        imaginary[at] = (imaginary[at] as number) * gain;
      }
    }
    transform(real, imaginary, true);
    for (let at = 0; at < FRAME; at++) {
      const place = index * HOP + at;
      cleaned[place] = (cleaned[place] as number) + (real[at] as number) * (WINDOW[at] as number);
    }
  }
  return Int16Array.from(samples, (_, at) => Math.max(-32_768, Math.min(32_767, Math.round(cleaned[at] as number))));
}

function spectraOf(samples: Int16Array): readonly Spectrum[] {
  return Array.from({ length: frameCount(samples) }, (_, index) => {
    const real = Float64Array.from(WINDOW, (share, at) => share * (samples[index * HOP + at] ?? 0));
    const imaginary = new Float64Array(FRAME);
    transform(real, imaginary, false);
    const powers = Float64Array.from({ length: BINS }, (_, bin) => {
      return (real[bin] as number) ** 2 + (imaginary[bin] as number) ** 2;
    });
    return { real, imaginary, powers };
  });
}

function frameCount(samples: Int16Array): number {
  return Math.max(1, Math.ceil((samples.length - FRAME) / HOP) + 1);
}

/** The frames that contain nothing but noise, null if it is too low under the voice to matter. */
function quietFrames(samples: Int16Array): readonly number[] | null {
  const sorted = Array.from({ length: frameCount(samples) }, (_, index) => {
    const frame = samples.subarray(index * HOP, index * HOP + FRAME);
    return { index, power: frame.reduce((sum, sample) => sum + sample * sample, 0) / FRAME };
  }).sort((one, other) => one.power - other.power);
  const quiet = sorted.slice(0, Math.max(QUIET_FRAMES_MIN, Math.floor(sorted.length * QUIET_SHARE)));
  const loud = sorted.slice(Math.floor(sorted.length * (1 - LOUD_SHARE)));
  const meanOf = (some: typeof sorted) => some.reduce((sum, { power }) => sum + power, 0) / some.length;
  const differenceDb = 10 * Math.log10((meanOf(loud) + 1) / (meanOf(quiet) + 1));
  return differenceDb > CLEAN_DB ? null : quiet.map(({ index }) => index);
}

/**
 * The Fourier transform of a frame, in place. The length is a power of two. Applying it again with `isInverse` restores
 * the input.
 */
function transform(real: Float64Array, imaginary: Float64Array, isInverse: boolean): void {
  const length = real.length;
  sortByReversedBits(real, imaginary);
  for (let span = 2; span <= length; span *= 2) {
    const angle = ((isInverse ? 2 : -2) * Math.PI) / span;
    for (let step = 0; step < span / 2; step++) {
      const cosine = Math.cos(angle * step);
      const sine = Math.sin(angle * step);
      for (let at = step; at < length; at += span) {
        const other = at + span / 2;
        const re = real[other] as number;
        const im = imaginary[other] as number;
        const turnedRe = re * cosine - im * sine;
        const turnedIm = re * sine + im * cosine;
        real[other] = (real[at] as number) - turnedRe;
        imaginary[other] = (imaginary[at] as number) - turnedIm;
        real[at] = (real[at] as number) + turnedRe;
        imaginary[at] = (imaginary[at] as number) + turnedIm;
      }
    }
  }
  if (!isInverse) return;
  for (let at = 0; at < length; at++) {
    real[at] = (real[at] as number) / length;
    imaginary[at] = (imaginary[at] as number) / length;
  }
}

function sortByReversedBits(real: Float64Array, imaginary: Float64Array): void {
  for (let at = 1, reversed = 0; at < real.length; at++) {
    let bit = real.length >> 1;
    for (; (reversed & bit) !== 0; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (at >= reversed) continue;
    for (const part of [real, imaginary]) {
      const kept = part[at] as number;
      part[at] = part[reversed] as number;
      part[reversed] = kept;
    }
  }
}
