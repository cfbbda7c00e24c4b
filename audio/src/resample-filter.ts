/** The rates in use: telephone, wideband and speech recognition, speech synthesis, Opus. */
export type SampleRateHz = 8000 | 16_000 | 24_000 | 48_000;

/**
 * Zero crossings of the sinc that are kept. More of them cost time and delay (half as many samples of the slower rate:
 * 2.5 ms at 8 kHz) and buy a narrower transition: with 40 the band is flat to 0.89 of half the slower rate, beyond what
 * a telephone passes, and gone by 1.11.
 */
const CROSSINGS = 40;
/** Kaiser's beta for some 70 dB in the stop band, far below the noise that G.711 adds (38 dB below the signal). */
const KAISER_BETA = 6.76;
/** The rounding error of the sine of a multiple of pi. */
const ALMOST_ZERO = 1e-9;

/**
 * A low-pass filter at the common rate, cut up for streaming. `outputs` samples come out for every `inputs` samples in;
 * each of these outputs has a branch for each of these inputs, and a branch meets only every `inputs`-th sample.
 */
export interface ResampleFilter {
  readonly outputs: number;
  readonly inputs: number;
  /** How many of the latest input samples an output depends on. */
  readonly reachSamples: number;
  /** The delay of the audio in output samples. Always a whole number. */
  readonly delaySamples: number;
  /** Branch `output * inputs + input`. */
  readonly branches: readonly FilterBranch[];
}

/**
 * Most filters have one branch that is a single tap, because the sinc is zero at all its other samples: that is up to
 * half of the work saved.
 */
interface FilterBranch {
  /** Steps of `inputs` samples between the oldest sample of the first output and the first tap. */
  readonly firstStep: number;
  /** One, or a multiple of four. */
  readonly taps: Float32Array;
}

const filters = new Map<string, ResampleFilter>();

/** The filter between two rates, designed at its first use and shared by every stream after that. */
export function resampleFilterFor(fromHz: SampleRateHz, toHz: SampleRateHz): ResampleFilter {
  const key = `${fromHz}:${toHz}`;
  const known = filters.get(key);
  if (known) return known;
  const filter = designFilter(fromHz, toHz);
  filters.set(key, filter);
  return filter;
}

function designFilter(fromHz: number, toHz: number): ResampleFilter {
  const divisor = greatestCommonDivisor(fromHz, toHz);
  const outputs = toHz / divisor;
  const inputs = fromHz / divisor;
  // In samples of the common rate, which is `outputs` times the input and `inputs` times the output.
  const crossingSamples = Math.max(outputs, inputs);
  const length = fromHz === toHz ? 1 : crossingSamples * CROSSINGS;
  const centre = Math.floor(length / 2);
  const reachSamples = length / outputs;
  const branches: FilterBranch[] = [];
  for (let output = 0; output < outputs; output++) {
    const phase = designPhase((output * inputs) % outputs, outputs, { length, centre, crossingSamples });
    const oldest = Math.floor((output * inputs) / outputs);
    for (let input = 0; input < inputs; input++) branches.push(branchOf(phase, oldest, input, inputs));
  }
  return { outputs, inputs, reachSamples, delaySamples: centre / inputs, branches };
}

interface Kernel {
  length: number;
  centre: number;
  crossingSamples: number;
}

/** The taps that meet the input when an output lies `phase` steps after its newest sample, oldest sample first. */
function designPhase(phase: number, outputs: number, { length, centre, crossingSamples }: Kernel): Float64Array {
  const taps = new Float64Array(length / outputs);
  for (let age = 0; age < taps.length; age++) {
    const offset = phase + age * outputs - centre;
    const tap = sinc(offset / crossingSamples) * kaiser(offset / (centre || 1));
    taps[taps.length - 1 - age] = Math.abs(tap) < ALMOST_ZERO ? 0 : tap;
  }
  // Each phase alone passes a constant unchanged, so that their differences cannot be heard as a faint tone.
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

/** Picks the taps of one output that meet the samples `input`, `input + inputs`, ..., without the zeros at both ends. */
function branchOf(phase: Float64Array, oldest: number, input: number, inputs: number): FilterBranch {
  const skipped = (((input - oldest) % inputs) + inputs) % inputs;
  const taps = Array.from(phase).filter((_, index) => index % inputs === skipped);
  const first = taps.findIndex((tap) => tap !== 0);
  const last = taps.findLastIndex((tap) => tap !== 0);
  return {
    firstStep: Math.floor((oldest + skipped) / inputs) + Math.max(0, first),
    taps: Float32Array.from(first < 0 ? [] : taps.slice(first, last + 1)),
  };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** The Kaiser window, whose edges are at -1 and 1. */
function kaiser(x: number): number {
  return besselI0(KAISER_BETA * Math.sqrt(Math.max(0, 1 - x * x))) / besselI0(KAISER_BETA);
}

function besselI0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
