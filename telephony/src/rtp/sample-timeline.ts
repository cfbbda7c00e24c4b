import { PresentRuns } from "./present-runs.ts";

/** About a second: far more than is ever waited for, so that a burst after a stall still finds room. */
const CAPACITY = 8192;
const MASK = CAPACITY - 1;

/** Samples by their time on the sender's clock, some of which are there. Times are whole numbers of any size. */
export class SampleTimeline {
  readonly #samples = new Int16Array(CAPACITY);
  readonly #runs = new PresentRuns();

  static readonly capacitySamples = CAPACITY;

  isPresent(time: number): boolean {
    return this.#runs.isPresent(time);
  }

  /** The caller sees to it that `time` lies less than the capacity ahead of what was forgotten. */
  write(time: number, samples: Int16Array, start: number, count: number): void {
    const at = time & MASK;
    const untilWrap = Math.min(count, CAPACITY - at);
    const isWhole = untilWrap === samples.length;
    this.#samples.set(isWhole ? samples : samples.subarray(start, start + untilWrap), at);
    if (untilWrap < count) this.#samples.set(samples.subarray(start + untilWrap, start + count));
    this.#runs.add(time, time + count);
  }

  /** How many of the samples from `time` on are alike, all there or all missing, at most `countMax`. */
  runLength(time: number, countMax: number): number {
    return this.#runs.alikeFrom(time, countMax);
  }

  copy(time: number, out: Int16Array, outStart: number, count: number): void {
    const at = time & MASK;
    const untilWrap = Math.min(count, CAPACITY - at);
    out.set(this.#samples.subarray(at, at + untilWrap), outStart);
    if (untilWrap < count) out.set(this.#samples.subarray(0, count - untilWrap), outStart + untilWrap);
  }

  /** Whatever was written there last, also when it was forgotten since. */
  sampleAt(time: number): number {
    return this.#samples[time & MASK] as number;
  }

  /** True when all samples are there and none is louder than `peak`. */
  isQuiet(time: number, count: number, peak: number): boolean {
    if (!this.#runs.isPresent(time) || this.#runs.alikeFrom(time, count) < count) return false;
    for (let index = 0; index < count; index++) {
      const sample = this.#samples[(time + index) & MASK] as number;
      if (sample > peak || sample < -peak) return false;
    }
    return true;
  }

  forgetBefore(time: number): void {
    this.#runs.forgetBefore(time);
  }

  forgetAll(): void {
    this.#runs.clear();
  }
}
