import { saturate } from "./frame.ts";
import { rmsAt } from "./level.ts";

/** How much of the last sample remains in the next one: enough to sound like a room and not like a radio. */
const COLOUR = 0.7;
/** The root mean square of the sum of two uniform numbers between -0.5 and 0.5. */
const UNIFORM_PAIR_RMS = Math.sqrt(1 / 6);

/**
 * Quiet noise for a line that would otherwise go dead, which people mistake for a dropped call. It repeats after four
 * billion samples, and two generators with the same seed produce the same noise.
 */
export class ComfortNoise {
  readonly #scale: number;
  #state: number;
  #last = 0;

  constructor(levelDbfs: number, seed = 1) {
    // The one-pole filter below lowers the power by (1 - c)^2 / (1 - c^2).
    const filterRms = Math.sqrt((1 - COLOUR) / (1 + COLOUR));
    this.#scale = rmsAt(levelDbfs) / (UNIFORM_PAIR_RMS * filterRms);
    this.#state = seed | 0 || 1;
  }

  /** Overwrites the frame with noise. */
  fill(frame: Int16Array): void {
    for (let index = 0; index < frame.length; index++) {
      const white = (this.#next() + this.#next()) * this.#scale;
      this.#last = this.#last * COLOUR + white * (1 - COLOUR);
      frame[index] = saturate(this.#last);
    }
  }

  /** Xorshift, from -0.5 to 0.5. */
  #next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return state / 2 ** 32;
  }
}
