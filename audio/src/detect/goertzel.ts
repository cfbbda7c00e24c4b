import { TELEPHONE_RATE_HZ } from "../frame.ts";

const LANES = 4;

/**
 * How much of each of a few frequencies is in a short block of audio, with its phase: the Fourier sum of the block at
 * these frequencies alone, by Goertzel's recurrence, which needs one multiplication per sample and frequency.
 */
export class GoertzelBank {
  readonly blockSamples: number;
  /** The sums of the last block, relative to its first sample, in the order of the frequencies. */
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
  readonly #cosines: Float64Array;
  /** Moves the result from the end of the block, where the recurrence leaves it, back to its beginning. */
  readonly #turnReal: Float64Array;
  readonly #turnImaginary: Float64Array;
  readonly #sines: Float64Array;

  constructor(frequenciesHz: readonly number[], blockSamples: number, sampleRateHz: number = TELEPHONE_RATE_HZ) {
    this.blockSamples = blockSamples;
    const slots = Math.ceil(frequenciesHz.length / LANES) * LANES;
    this.real = new Float64Array(slots);
    this.imaginary = new Float64Array(slots);
    const angles = Array.from(
      { length: slots },
      (_, slot) => (2 * Math.PI * (frequenciesHz[slot] ?? 0)) / sampleRateHz,
    );
    this.#cosines = Float64Array.from(angles, Math.cos);
    this.#sines = Float64Array.from(angles, Math.sin);
    this.#turnReal = Float64Array.from(angles, (angle) => Math.cos(angle * (blockSamples - 1)));
    this.#turnImaginary = Float64Array.from(angles, (angle) => -Math.sin(angle * (blockSamples - 1)));
  }

  /** Measures the first `blockSamples` of `block`. */
  measure(block: Float64Array): void {
    for (let index = 0; index < this.#cosines.length; index += LANES) this.#measureFour(block, index);
  }

  /** Four recurrences side by side, because each step of a single one waits for the step before. */
  #measureFour(block: Float64Array, first: number): void {
    const factor0 = 2 * (this.#cosines[first] as number);
    const factor1 = 2 * (this.#cosines[first + 1] as number);
    const factor2 = 2 * (this.#cosines[first + 2] as number);
    const factor3 = 2 * (this.#cosines[first + 3] as number);
    let last0 = 0;
    let last1 = 0;
    let last2 = 0;
    let last3 = 0;
    let before0 = 0;
    let before1 = 0;
    let before2 = 0;
    let before3 = 0;
    for (let at = 0; at < this.blockSamples; at++) {
      const sample = block[at] as number;
      const next0 = sample + factor0 * last0 - before0;
      const next1 = sample + factor1 * last1 - before1;
      const next2 = sample + factor2 * last2 - before2;
      const next3 = sample + factor3 * last3 - before3;
      before0 = last0;
      before1 = last1;
      before2 = last2;
      before3 = last3;
      last0 = next0;
      last1 = next1;
      last2 = next2;
      last3 = next3;
    }
    this.#keep(first, last0, before0);
    this.#keep(first + 1, last1, before1);
    this.#keep(first + 2, last2, before2);
    this.#keep(first + 3, last3, before3);
  }

  #keep(index: number, last: number, before: number): void {
    const real = last - before * (this.#cosines[index] as number);
    const imaginary = before * (this.#sines[index] as number);
    const turnReal = this.#turnReal[index] as number;
    const turnImaginary = this.#turnImaginary[index] as number;
    this.real[index] = real * turnReal - imaginary * turnImaginary;
    this.imaginary[index] = real * turnImaginary + imaginary * turnReal;
  }
}
