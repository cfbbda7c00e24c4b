/** About a second: far more than is ever waited for, so that a burst after a stall still finds room. */
const CAPACITY = 8192;
const MASK = CAPACITY - 1;

/** Samples by their time on the sender's clock, some of which are there. Times are whole numbers of any size. */
export class SampleTimeline {
  readonly #samples = new Int16Array(CAPACITY);
  readonly #present = new Uint8Array(CAPACITY);

  static readonly capacitySamples = CAPACITY;

  isPresent(time: number): boolean {
    return this.#present[time & MASK] === 1;
  }

  /** The caller sees to it that `time` lies less than the capacity ahead of what was forgotten. */
  write(time: number, samples: Int16Array, start: number, count: number): void {
    for (let index = 0; index < count; index++) {
      const at = (time + index) & MASK;
      this.#samples[at] = samples[start + index] as number;
      this.#present[at] = 1;
    }
  }

  /** How many of the samples from `time` on are alike, all there or all missing, at most `countMax`. */
  runLength(time: number, countMax: number): number {
    const kind = this.#present[time & MASK];
    let count = 1;
    while (count < countMax && this.#present[(time + count) & MASK] === kind) count += 1;
    return Math.min(count, countMax);
  }

  copy(time: number, out: Int16Array, outStart: number, count: number): void {
    for (let index = 0; index < count; index++) out[outStart + index] = this.#samples[(time + index) & MASK] as number;
  }

  /** Whatever was written there last, also when it was forgotten since. */
  sampleAt(time: number): number {
    return this.#samples[time & MASK] as number;
  }

  /** True when all samples are there and none is louder than `peak`. */
  isQuiet(time: number, count: number, peak: number): boolean {
    for (let index = 0; index < count; index++) {
      const at = (time + index) & MASK;
      const sample = this.#samples[at] as number;
      if (this.#present[at] !== 1 || sample > peak || sample < -peak) return false;
    }
    return true;
  }

  forget(time: number, count: number): void {
    if (count >= CAPACITY) this.#present.fill(0);
    else for (let index = 0; index < count; index++) this.#present[(time + index) & MASK] = 0;
  }
}
