import { MEL_WINDOW, MelBands } from "./mel-bands.ts";
import { trackPitch } from "./pitch-track.ts";

const HOP = 80;
const CEPSTRA = 13;
/** What is quieter than the loudest frame by more than this is not compared. */
const QUIET_DB = 45;
/** Pitches further apart may be an octave error of the tracker. */
const OCTAVE_ERROR = 1.3;

export interface SpeechLikeness {
  /** The mean mel-cepstral distance of the frames in decibels, without their level. */
  readonly cepstralDb: number;
  /** How F0 correlates over all frames that are voiced in both, or null if there are hardly any. */
  readonly pitchCorrelation: number | null;
  /** The same without the frames in which the tracker may have taken a multiple of the pitch in one of the two. */
  readonly pitchCorrelationInOctave: number | null;
}

interface SpeechFrame {
  /** The cepstrum of the mel bands; the first number is the level. */
  readonly cepstra: Float64Array;
  /** 0 if unvoiced. */
  readonly pitchHz: number;
  readonly energyDb: number;
}

/** How alike two recordings of the same words sound, at 8 kHz, aligned by dynamic time warping. */
export function compareSpeech(one: Int16Array, other: Int16Array): SpeechLikeness {
  const [a, b] = [framesOf(one), framesOf(other)];
  const path = align(a, b);
  const distances = path.map(([i, j]) => cepstralDistanceDb(a[i] as SpeechFrame, b[j] as SpeechFrame));
  const pitches = path
    .map(([i, j]) => [(a[i] as SpeechFrame).pitchHz, (b[j] as SpeechFrame).pitchHz] as const)
    .filter(([x, y]) => x > 0 && y > 0);
  const inOctave = pitches.filter(([x, y]) => Math.max(x / y, y / x) < OCTAVE_ERROR);
  return {
    cepstralDb: mean(distances),
    pitchCorrelation: correlation(pitches),
    pitchCorrelationInOctave: correlation(inOctave),
  };
}

/** What is heard of a recording, in frames of 10 ms. */
export function framesOf(samples: Int16Array): readonly SpeechFrame[] {
  const mel = new MelBands();
  const starts: number[] = [];
  for (let from = 0; from + MEL_WINDOW <= samples.length; from += HOP) starts.push(from);
  const pitchesHz = trackPitch(
    samples,
    starts.map((from) => from + MEL_WINDOW / 2),
  );
  const frames = starts.map((from, index) => {
    const bands = mel.at(samples, from);
    let energy = 1e-9;
    for (let at = from; at < from + MEL_WINDOW; at++) energy += ((samples[at] as number) / 32_768) ** 2;
    const cepstra = Float64Array.from({ length: CEPSTRA }, (_, order) =>
      bands.reduce((sum, band, at) => sum + band * Math.cos((Math.PI * order * (at + 0.5)) / bands.length), 0),
    );
    // The transform is scaled to make the coefficients orthonormal.
    for (const order of cepstra.keys()) cepstra[order] = (cepstra[order] as number) * Math.sqrt(2 / bands.length);
    return { cepstra, pitchHz: pitchesHz[index] as number, energyDb: 10 * Math.log10(energy) };
  });
  const loudestDb = frames.reduce((max, { energyDb }) => Math.max(max, energyDb), Number.NEGATIVE_INFINITY);
  return frames.filter(({ energyDb }) => energyDb > loudestDb - QUIET_DB);
}

/** The cheapest path through both, by dynamic time warping. */
function align(a: readonly SpeechFrame[], b: readonly SpeechFrame[]): readonly (readonly [number, number])[] {
  if (a.length === 0 || b.length === 0) throw new Error("there is no speech to compare");
  const width = b.length;
  const costs = new Float64Array(a.length * width).fill(Number.POSITIVE_INFINITY);
  const costAt = (i: number, j: number) =>
    i < 0 || j < 0 ? Number.POSITIVE_INFINITY : (costs[i * width + j] as number);
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < width; j++) {
      const before = i + j === 0 ? 0 : Math.min(costAt(i - 1, j), costAt(i, j - 1), costAt(i - 1, j - 1));
      costs[i * width + j] = before + cepstralDistanceDb(a[i] as SpeechFrame, b[j] as SpeechFrame);
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
function cepstralDistanceDb(a: Pick<SpeechFrame, "cepstra">, b: Pick<SpeechFrame, "cepstra">): number {
  let sum = 0;
  for (let order = 1; order < CEPSTRA; order++)
    sum += ((a.cepstra[order] as number) - (b.cepstra[order] as number)) ** 2;
  return (10 / Math.LN10) * Math.sqrt(2 * sum);
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
