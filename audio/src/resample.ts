import { saturate } from "./frame.ts";
import { type ResampleFilter, resampleFilterFor, type SampleRateHz } from "./resample-filter.ts";

/** Input taken at a time: 20 ms at the highest rate, so that an ordinary frame is one block. */
const BLOCK_SAMPLES = 960;
/** Outputs summed side by side: each tap and each sample is loaded once for four products. */
const LANES = 4;

/**
 * Changes the rate of one stream of audio as it arrives. The output depends on the samples alone, never on how they are
 * split into chunks.
 */
export class Resampler {
  readonly #filter: ResampleFilter;
  /**
   * The input that outputs still to come depend on. Sample `i` is in row `i % inputs` at column `floor(i / inputs)`, so
   * that each branch of the filter finds its samples side by side.
   */
  readonly #window: Float64Array;
  readonly #columns: number;
  #heldSamples: number;
  /** The next output, counted from the first sample of the window. */
  #next = 0;

  constructor(fromHz: SampleRateHz, toHz: SampleRateHz) {
    this.#filter = resampleFilterFor(fromHz, toHz);
    const { inputs, reachSamples } = this.#filter;
    // The last of four sums may look beyond the input; what it finds there is never used, but it must be there.
    this.#columns = Math.ceil((BLOCK_SAMPLES + reachSamples) / inputs) + 2 * LANES;
    this.#window = new Float64Array(inputs * this.#columns);
    this.#heldSamples = reachSamples - 1;
  }

  /** The delay of the audio in output samples. */
  get delaySamples(): number {
    return this.#filter.delaySamples;
  }

  /** How many samples the next `process` of this many will write. Over a whole stream: ceil(input * to / from). */
  outputSamplesFor(inputSamples: number): number {
    return this.#outputsWithin(this.#heldSamples + inputSamples) - this.#next;
  }

  /** Consumes all of `input` and returns how many samples it wrote to the beginning of `output`. */
  process(input: Int16Array, output: Int16Array): number {
    if (this.outputSamplesFor(input.length) > output.length) {
      throw new RangeError(`${input.length} samples in do not fit in ${output.length} out`);
    }
    let written = 0;
    for (let start = 0; start < input.length; start += BLOCK_SAMPLES) {
      this.#take(input, start, Math.min(BLOCK_SAMPLES, input.length - start));
      written += this.#make(output, written);
      this.#forget();
    }
    return written;
  }

  /** Resets the state, for a new stream between the same rates. */
  reset(): void {
    this.#window.fill(0);
    this.#heldSamples = this.#filter.reachSamples - 1;
    this.#next = 0;
  }

  #outputsWithin(heldSamples: number): number {
    const { outputs, inputs, reachSamples } = this.#filter;
    return Math.max(this.#next, Math.ceil(((heldSamples - reachSamples + 1) * outputs) / inputs));
  }

  #take(input: Int16Array, start: number, count: number): void {
    const { inputs } = this.#filter;
    const window = this.#window;
    const end = start + count;
    for (let first = 0; first < Math.min(inputs, count); first++) {
      const at = this.#heldSamples + first;
      let cell = (at % inputs) * this.#columns + Math.floor(at / inputs);
      for (let index = start + first; index < end; index += inputs) {
        window[cell] = input[index] as number;
        cell += 1;
      }
    }
    this.#heldSamples += count;
  }

  #make(output: Int16Array, outputStart: number): number {
    const { outputs } = this.#filter;
    const end = this.#outputsWithin(this.#heldSamples);
    for (let first = this.#next; first < Math.min(end, this.#next + outputs); first++) {
      // All outputs a round apart use the same branches, one column further each.
      const branch = first % outputs;
      let round = Math.floor(first / outputs);
      let at = outputStart + first - this.#next;
      for (let left = Math.ceil((end - first) / outputs); left > 0; left -= LANES) {
        this.#makeUpToFour(branch, round, output, at, left);
        round += LANES;
        at += LANES * outputs;
      }
    }
    const made = end - this.#next;
    this.#next = end;
    return made;
  }

  /** Sums up four outputs of the same branches from `round` on, and keeps as many as are requested. */
  #makeUpToFour(branch: number, round: number, output: Int16Array, at: number, wanted: number): void {
    const { outputs, inputs, branches } = this.#filter;
    const window = this.#window;
    let sum0 = 0;
    let sum1 = 0;
    let sum2 = 0;
    let sum3 = 0;
    for (let row = 0; row < inputs; row++) {
      const { firstStep, taps } = branches[branch * inputs + row] as ResampleFilter["branches"][number];
      let sample = row * this.#columns + round + firstStep;
      if (taps.length === 1) {
        const tap = taps[0] as number;
        sum0 += tap * (window[sample] as number);
        sum1 += tap * (window[sample + 1] as number);
        sum2 += tap * (window[sample + 2] as number);
        sum3 += tap * (window[sample + 3] as number);
        continue;
      }
      let w0 = window[sample] as number;
      let w1 = window[sample + 1] as number;
      let w2 = window[sample + 2] as number;
      for (let tap = 0; tap < taps.length; tap += LANES) {
        const t0 = taps[tap] as number;
        const t1 = taps[tap + 1] as number;
        const t2 = taps[tap + 2] as number;
        const t3 = taps[tap + 3] as number;
        const w3 = window[sample + 3] as number;
        const w4 = window[sample + 4] as number;
        const w5 = window[sample + 5] as number;
        const w6 = window[sample + 6] as number;
        sum0 += t0 * w0 + t1 * w1 + t2 * w2 + t3 * w3;
        sum1 += t0 * w1 + t1 * w2 + t2 * w3 + t3 * w4;
        sum2 += t0 * w2 + t1 * w3 + t2 * w4 + t3 * w5;
        sum3 += t0 * w3 + t1 * w4 + t2 * w5 + t3 * w6;
        w0 = w4;
        w1 = w5;
        w2 = w6;
        sample += LANES;
      }
    }
    output[at] = saturate(sum0);
    if (wanted > 1) output[at + outputs] = saturate(sum1);
    if (wanted > 2) output[at + 2 * outputs] = saturate(sum2);
    if (wanted > 3) output[at + 3 * outputs] = saturate(sum3);
  }

  /** Drops the samples that no later output needs, by whole rounds so that rows stay rows. */
  #forget(): void {
    const { outputs, inputs } = this.#filter;
    const rounds = Math.floor(this.#next / outputs);
    const kept = Math.ceil(this.#heldSamples / inputs) - rounds;
    for (let row = 0; row < inputs; row++) {
      const start = row * this.#columns;
      this.#window.copyWithin(start, start + rounds, start + rounds + kept);
    }
    this.#heldSamples -= rounds * inputs;
    this.#next -= rounds * outputs;
  }
}

/** Changes the rate of a whole recording, which is neither shifted nor truncated: the delay is removed. */
export function resampleClip(samples: Int16Array, fromHz: SampleRateHz, toHz: SampleRateHz): Int16Array {
  const resampler = new Resampler(fromHz, toHz);
  const wanted = resampler.outputSamplesFor(samples.length);
  const tail = Math.ceil((resampler.delaySamples * fromHz) / toHz);
  const padded = new Int16Array(samples.length + tail);
  padded.set(samples);
  const output = new Int16Array(resampler.outputSamplesFor(padded.length));
  resampler.process(padded, output);
  return output.slice(resampler.delaySamples, resampler.delaySamples + wanted);
}
