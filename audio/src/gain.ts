import { saturate } from "./frame.ts";

/** Multiplies in place by a gain that moves linearly from one value to the other, so that neither edge clicks. */
export function fade(samples: Int16Array, fromGain: number, toGain: number, start = 0, end = samples.length): void {
  const step = (toGain - fromGain) / Math.max(1, end - start);
  let gain = fromGain;
  for (let index = start; index < end; index++) {
    samples[index] = saturate((samples[index] as number) * gain);
    gain += step;
  }
}

export function applyGain(samples: Int16Array, gain: number): void {
  if (gain !== 1) fade(samples, gain, gain);
}

/** Adds one piece of audio to another in place, with saturation. The shorter one ends early. */
export function mixInto(target: Int16Array, added: Int16Array, gain = 1): void {
  const count = Math.min(target.length, added.length);
  for (let index = 0; index < count; index++) {
    target[index] = saturate((target[index] as number) + (added[index] as number) * gain);
  }
}

/**
 * A gain that follows its target over time, frame by frame: the voice that is lowered while the callee speaks, and
 * restored. It moves evenly on the linear scale, which over some tens of milliseconds cannot be distinguished from
 * decibels.
 */
export class GainRamp {
  #gain: number;
  #goal: number;
  #step = 0;
  #leftSamples = 0;

  constructor(gain = 1) {
    this.#gain = gain;
    this.#goal = gain;
  }

  get gain(): number {
    return this.#gain;
  }

  /** Moves to a new gain from the current one. Over 0 samples it jumps. */
  moveTo(goal: number, overSamples: number): void {
    this.#goal = goal;
    this.#leftSamples = Math.max(0, overSamples);
    if (this.#leftSamples === 0) this.#gain = goal;
    else this.#step = (goal - this.#gain) / this.#leftSamples;
  }

  /** Applies the gain in place and moves on by as many samples. */
  apply(samples: Int16Array, start = 0, end: number = samples.length): void {
    if (this.#gain === 1 && this.#leftSamples === 0) return;
    for (let index = start; index < end; index++) {
      samples[index] = saturate((samples[index] as number) * this.#gain);
      if (this.#leftSamples > 0) this.#advance();
    }
  }

  #advance(): void {
    this.#leftSamples -= 1;
    this.#gain = this.#leftSamples === 0 ? this.#goal : this.#gain + this.#step;
  }
}
