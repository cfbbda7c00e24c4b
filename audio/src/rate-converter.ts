import { saturate } from "./frame.ts";
import { Resampler } from "./resample.ts";
import type { SampleRateHz } from "./resample-filter.ts";

/** Changes the rate of one stream of audio, which is neither shifted nor truncated once it was flushed. */
export interface RateConverter {
  /** The output that all input so far determines. */
  process(input: Int16Array): Int16Array;
  /** The rest, when there is no more input. */
  flush(): Int16Array;
}

/**
 * A converter between any two rates, for audio of other services. The rates in use here have filters of their own,
 * which cost half as much.
 */
export function createRateConverter(fromHz: number, toHz: number): RateConverter {
  if (fromHz === toHz) return { process: (input) => input.slice(), flush: () => new Int16Array(0) };
  return isOwnRate(fromHz) && isOwnRate(toHz) ? new OwnRateConverter(fromHz, toHz) : new SincConverter(fromHz, toHz);
}

function isOwnRate(rateHz: number): rateHz is SampleRateHz {
  return [8_000, 16_000, 24_000, 48_000].includes(rateHz);
}

/** Removes the delay of the filter. */
class OwnRateConverter implements RateConverter {
  readonly #resampler: Resampler;
  readonly #tail: Int16Array;
  #skip: number;
  #wanted = 0;
  #given = 0;
  #inputs = 0;
  readonly #ratio: number;

  constructor(fromHz: SampleRateHz, toHz: SampleRateHz) {
    this.#resampler = new Resampler(fromHz, toHz);
    this.#ratio = toHz / fromHz;
    this.#skip = this.#resampler.delaySamples;
    this.#tail = new Int16Array(Math.ceil(this.#skip / this.#ratio));
  }

  process(input: Int16Array): Int16Array {
    this.#inputs += input.length;
    this.#wanted = Math.ceil(this.#inputs * this.#ratio);
    return this.#take(input);
  }

  flush(): Int16Array {
    return this.#take(this.#tail);
  }

  #take(input: Int16Array): Int16Array {
    const output = new Int16Array(this.#resampler.outputSamplesFor(input.length));
    this.#resampler.process(input, output);
    const skipped = Math.min(this.#skip, output.length);
    this.#skip -= skipped;
    const kept = output.slice(skipped, skipped + this.#wanted - this.#given);
    this.#given += kept.length;
    return kept;
  }
}

/** Zero crossings of the sinc on either side, as many as the filters of our own rates keep. */
const CROSSINGS = 20;
/** Where the band ends, as a share of half the slower rate. Nothing a telephone passes is above it. */
const BAND = 0.92;
/** Points of the table per sample. Between them it is interpolated, with an error below that of 16 bits. */
const POINTS = 512;
const KAISER_BETA = 6.76;

/** A windowed sinc, evaluated where each output lies between the inputs. */
class SincConverter implements RateConverter {
  readonly #step: number;
  readonly #reach: number;
  readonly #kernel: Float32Array;
  /** The inputs that are still needed; `#start` is the number of the first. */
  #held: Float32Array;
  #start: number;
  #inputs = 0;
  #next = 0;

  constructor(fromHz: number, toHz: number) {
    if (!(fromHz > 0) || !(toHz > 0)) throw new RangeError(`no audio has a rate of ${fromHz} or ${toHz} Hz`);
    this.#step = fromHz / toHz;
    const cutoff = BAND * Math.min(1, toHz / fromHz);
    this.#reach = Math.ceil(CROSSINGS / cutoff);
    this.#kernel = kernelOf(cutoff, this.#reach);
    this.#held = new Float32Array(this.#reach);
    this.#start = -this.#reach;
  }

  process(input: Int16Array): Int16Array {
    this.#inputs += input.length;
    return this.#make(input, this.#start + this.#held.length + input.length - this.#reach);
  }

  flush(): Int16Array {
    return this.#make(new Int16Array(this.#reach + 1), this.#inputs);
  }

  /** Every output before this input position. */
  #make(input: Int16Array, before: number): Int16Array {
    const window = new Float32Array(this.#held.length + input.length);
    window.set(this.#held);
    window.set(input, this.#held.length);
    const end = Math.max(this.#next, Math.ceil(before / this.#step));
    const output = new Int16Array(end - this.#next);
    for (let index = 0; index < output.length; index++) {
      output[index] = saturate(this.#valueAt((this.#next + index) * this.#step, window));
    }
    this.#next = end;
    const firstNeeded = Math.floor(end * this.#step) - this.#reach;
    const dropped = Math.min(window.length, Math.max(0, firstNeeded - this.#start));
    this.#held = window.slice(dropped);
    this.#start += dropped;
    return output;
  }

  #valueAt(position: number, window: Float32Array): number {
    const kernel = this.#kernel;
    const centre = Math.floor(position);
    let sum = 0;
    for (let at = centre - this.#reach + 1; at <= centre + this.#reach; at++) {
      const sample = window[at - this.#start];
      if (sample === undefined || sample === 0) continue;
      const place = Math.abs(position - at) * POINTS;
      const point = Math.floor(place);
      const below = kernel[point] as number;
      sum += sample * (below + ((kernel[point + 1] as number) - below) * (place - point));
    }
    return sum;
  }
}

/** One half of it: it is symmetric. */
function kernelOf(cutoff: number, reach: number): Float32Array {
  const kernel = new Float32Array(reach * POINTS + 2);
  for (let point = 0; point < reach * POINTS; point++) {
    const at = point / POINTS;
    const angle = Math.PI * cutoff * at;
    const sinc = at === 0 ? 1 : Math.sin(angle) / angle;
    const window = besselI0(KAISER_BETA * Math.sqrt(1 - (at / reach) ** 2)) / besselI0(KAISER_BETA);
    kernel[point] = cutoff * sinc * window;
  }
  return kernel;
}

function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > 1e-9 * sum; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
