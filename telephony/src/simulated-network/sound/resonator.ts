import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";

/** A digital resonator of two poles with a gain of one at 0 Hz, as formant synthesizers chain them (Klatt 1980). */
export class Resonator {
  readonly #a: number;
  readonly #b: number;
  readonly #c: number;
  #last = 0;
  #beforeLast = 0;

  constructor(frequencyHz: number, bandwidthHz: number) {
    const radius = Math.exp((-Math.PI * bandwidthHz) / TELEPHONE_RATE_HZ);
    this.#c = -radius * radius;
    this.#b = 2 * radius * Math.cos((2 * Math.PI * frequencyHz) / TELEPHONE_RATE_HZ);
    this.#a = 1 - this.#b - this.#c;
  }

  next(input: number): number {
    const output = this.#a * input + this.#b * this.#last + this.#c * this.#beforeLast;
    this.#beforeLast = this.#last;
    this.#last = output;
    return output;
  }
}
