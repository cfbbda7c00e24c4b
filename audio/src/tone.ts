import { saturate, TELEPHONE_RATE_HZ } from "./frame.ts";
import { rmsAt } from "./level.ts";

/** One sine of a tone. */
export interface Sine {
  frequencyHz: number;
  levelDbfs: number;
}

/**
 * Several sines together, for any length. The phase continues from frame to frame and from one set of sines to the
 * next, so that neither is heard as a click.
 */
export class ToneGenerator {
  readonly #sampleRateHz: number;
  readonly #steps: Float64Array;
  readonly #amplitudes: Float64Array;
  /** In turns, from 0 to 1. */
  readonly #phases: Float64Array;
  #partials = 0;

  constructor(partials: readonly Sine[] = [], { sampleRateHz = TELEPHONE_RATE_HZ, partialsMax = 8 } = {}) {
    this.#sampleRateHz = sampleRateHz;
    const slots = Math.max(partialsMax, partials.length);
    this.#steps = new Float64Array(slots);
    this.#amplitudes = new Float64Array(slots);
    this.#phases = new Float64Array(slots);
    this.change(partials);
  }

  /** Plays these sines from the next sample on. */
  change(partials: readonly Sine[]): void {
    if (partials.length > this.#steps.length) throw new RangeError(`${partials.length} sines are too many`);
    for (let index = 0; index < partials.length; index++) {
      const { frequencyHz, levelDbfs } = partials[index] as Sine;
      this.#steps[index] = frequencyHz / this.#sampleRateHz;
      this.#amplitudes[index] = rmsAt(levelDbfs) * Math.SQRT2;
    }
    this.#partials = partials.length;
  }

  /** Starts every sine from zero, like a signal that begins after silence. */
  restart(): void {
    this.#phases.fill(0);
  }

  /** Inverts every sine from the next sample on, as a fax does to switch off echo cancellers (V.25). */
  reversePhase(): void {
    for (let index = 0; index < this.#partials; index++) {
      this.#phases[index] = ((this.#phases[index] as number) + 0.5) % 1;
    }
  }

  /** Overwrites a part of the frame, by default all of it. */
  fill(frame: Int16Array, start = 0, end: number = frame.length): void {
    const partials = this.#partials;
    for (let at = start; at < end; at++) {
      let sum = 0;
      for (let index = 0; index < partials; index++) {
        const phase = this.#phases[index] as number;
        sum += (this.#amplitudes[index] as number) * Math.sin(2 * Math.PI * phase);
        const next = phase + (this.#steps[index] as number);
        this.#phases[index] = next >= 1 ? next - 1 : next;
      }
      frame[at] = saturate(sum);
    }
  }
}
