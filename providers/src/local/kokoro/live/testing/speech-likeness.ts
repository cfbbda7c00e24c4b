import { FourierPlan } from "../fourier-plan.ts";

const RATE_HZ = 8_000;
const HOP = 80;
const WINDOW = 256;
const BANDS = 24;
const BAND_FROM_HZ = 100;
const BAND_TO_HZ = 3_800;
const CEPSTRA = 13;
const PITCH_FROM_HZ = 60;
const PITCH_TO_HZ = 400;
/** 50 ms, over which a pitch repeats itself. */
const PITCH_WINDOW = 400;
const VOICED_MIN = 0.55;
/** What is quieter than the loudest frame by more than this is not compared. */
const QUIET_DB = 45;
/** Pitches further apart are an octave error of the tracker. */
const OCTAVE_ERROR = 1.3;

export interface SpeechLikeness {
  /** The mean mel-cepstral distance of the frames in decibels, without their level. */
  readonly cepstralDb: number;
  /** How F0 correlates over all frames that are voiced in both, or null if there are hardly any. */
  readonly pitchCorrelation: number | null;
  /** The same without the frames in which the tracker may have taken a multiple of the pitch in one of the two. */
  readonly pitchCorrelationInOctave: number | null;
}

interface Frame {
  readonly cepstra: Float64Array;
  /** 0 if unvoiced. */
  readonly pitchHz: number;
}

/** How alike two recordings of the same words sound, at 8 kHz, aligned by dynamic time warping. */
export function compareSpeech(one: Int16Array, other: Int16Array): SpeechLikeness {
  const [a, b] = [framesOf(one), framesOf(other)];
  const path = align(a, b);
  const distances = path.map(([i, j]) => distance(a[i] as Frame, b[j] as Frame));
  const pitches = path
    .map(([i, j]) => [(a[i] as Frame).pitchHz, (b[j] as Frame).pitchHz] as const)
    .filter(([x, y]) => x > 0 && y > 0);
  const inOctave = pitches.filter(([x, y]) => Math.max(x / y, y / x) < OCTAVE_ERROR);
  return {
    cepstralDb: mean(distances),
    pitchCorrelation: correlation(pitches),
    pitchCorrelationInOctave: correlation(inOctave),
  };
}

function framesOf(samples: Int16Array): readonly Frame[] {
  const plan = new FourierPlan(WINDOW);
  const hann = Float64Array.from({ length: WINDOW }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / WINDOW));
  const filters = melFilters();
  const [re, im, outRe, outIm] = Array.from({ length: 4 }, () => new Float64Array(WINDOW)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const frames: (Frame & { readonly energyDb: number })[] = [];
  for (let from = 0; from + WINDOW <= samples.length; from += HOP) {
    let energy = 1e-9;
    for (let at = 0; at < WINDOW; at++) {
      const sample = (samples[from + at] as number) / 32_768;
      energy += sample * sample;
      re[at] = sample * (hann[at] as number);
    }
    plan.forward(re, im, outRe, outIm);
    const bands = filters.map((weights) => {
      let sum = 1e-8;
      for (const [bin, weight] of weights) sum += weight * ((outRe[bin] as number) ** 2 + (outIm[bin] as number) ** 2);
      return Math.log(sum) / 2;
    });
    const cepstra = Float64Array.from({ length: CEPSTRA }, (_, order) =>
      bands.reduce((sum, band, index) => sum + band * Math.cos((Math.PI * order * (index + 0.5)) / BANDS), 0),
    );
    frames.push({ cepstra, pitchHz: pitchAt(samples, from + WINDOW / 2), energyDb: 10 * Math.log10(energy) });
  }
  const loudestDb = frames.reduce((max, { energyDb }) => Math.max(max, energyDb), Number.NEGATIVE_INFINITY);
  return frames.filter(({ energyDb }) => energyDb > loudestDb - QUIET_DB);
}

/** Triangles of equal width on the mel scale: the bins of each and their weights. */
function melFilters(): readonly (readonly (readonly [bin: number, weight: number])[])[] {
  const mel = (hz: number) => 2_595 * Math.log10(1 + hz / 700);
  const step = (mel(BAND_TO_HZ) - mel(BAND_FROM_HZ)) / (BANDS + 1);
  return Array.from({ length: BANDS }, (_, band) => {
    const centre = mel(BAND_FROM_HZ) + (band + 1) * step;
    return Array.from({ length: WINDOW / 2 }, (__, bin) => {
      return [bin, Math.max(0, 1 - Math.abs(mel((bin * RATE_HZ) / WINDOW) - centre) / step)] as const;
    }).filter(([, weight]) => weight > 0);
  });
}

/** The pitch around a sample by normalized autocorrelation, or 0. */
function pitchAt(samples: Int16Array, centre: number): number {
  const from = centre - PITCH_WINDOW / 2;
  const longest = Math.floor(RATE_HZ / PITCH_FROM_HZ);
  if (from < 0 || from + PITCH_WINDOW + longest > samples.length) return 0;
  const scores: number[] = [];
  const shortest = Math.ceil(RATE_HZ / PITCH_TO_HZ);
  for (let lag = shortest; lag <= longest; lag++) {
    let [both, left, right] = [0, 1, 1];
    for (let at = from; at < from + PITCH_WINDOW; at++) {
      const x = samples[at] as number;
      const y = samples[at + lag] as number;
      both += x * y;
      left += x * x;
      right += y * y;
    }
    scores.push(both / Math.sqrt(left * right));
  }
  const best = Math.max(...scores);
  if (best < VOICED_MIN) return 0;
  // The shortest lag that repeats nearly as well is the period; longer ones are its multiples.
  const index = scores.findIndex((score, at) => score > 0.9 * best && score >= (scores[at + 1] ?? -1));
  return RATE_HZ / (shortest + index);
}

/** The cheapest path through both, by dynamic time warping. */
function align(a: readonly Frame[], b: readonly Frame[]): readonly (readonly [number, number])[] {
  if (a.length === 0 || b.length === 0) throw new Error("there is no speech to compare");
  const width = b.length;
  const costs = new Float64Array(a.length * width).fill(Number.POSITIVE_INFINITY);
  const costAt = (i: number, j: number) =>
    i < 0 || j < 0 ? Number.POSITIVE_INFINITY : (costs[i * width + j] as number);
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < width; j++) {
      const before = i + j === 0 ? 0 : Math.min(costAt(i - 1, j), costAt(i, j - 1), costAt(i - 1, j - 1));
      costs[i * width + j] = before + distance(a[i] as Frame, b[j] as Frame);
    }
  }
  const path: [number, number][] = [];
  for (let [i, j] = [a.length - 1, width - 1]; i >= 0 && j >= 0; ) {
    path.push([i, j]);
    const both = costAt(i - 1, j - 1);
    if (both <= costAt(i - 1, j) && both <= costAt(i, j - 1)) [i, j] = [i - 1, j - 1];
    else if (costAt(i - 1, j) < costAt(i, j - 1)) i -= 1;
    else j -= 1;
  }
  return path.reverse();
}

/** In decibels; the first coefficient, which is the level, does not count. */
function distance(a: Frame, b: Frame): number {
  let sum = 0;
  for (let order = 1; order < CEPSTRA; order++)
    sum += ((a.cepstra[order] as number) - (b.cepstra[order] as number)) ** 2;
  // The transform is scaled to make the coefficients orthonormal.
  return (10 / Math.LN10) * Math.sqrt(2 * sum) * Math.sqrt(2 / BANDS);
}

function correlation(pairs: readonly (readonly [number, number])[]): number | null {
  if (pairs.length < 20) return null;
  const [meanX, meanY] = [mean(pairs.map(([x]) => x)), mean(pairs.map(([, y]) => y))];
  let [xy, xx, yy] = [0, 1e-9, 1e-9];
  for (const [x, y] of pairs) {
    xy += (x - meanX) * (y - meanY);
    xx += (x - meanX) ** 2;
    yy += (y - meanY) ** 2;
  }
  return xy / Math.sqrt(xx * yy);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
