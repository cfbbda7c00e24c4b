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

  /** The samples last written there, even if they were forgotten since. */
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

/**
 * Which times of a timeline are there, as runs in order that neither touch nor overlap. A stream without losses is one
 * run, which makes every question about it a comparison or two.
 */
export class PresentRuns {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  isPresent(time: number): boolean {
    return this.#runAt(time) >= 0;
  }

  /** How many of the times from `time` on are alike, all there or all missing, at most `countMax`. */
  alikeFrom(time: number, countMax: number): number {
    const starts = this.#starts;
    for (let index = 0; index < starts.length; index++) {
      const start = starts[index] as number;
      if (start > time) return Math.min(countMax, start - time);
      const end = this.#ends[index] as number;
      if (end > time) return Math.min(countMax, end - time);
    }
    return countMax;
  }

  /** Adds the times from `start` to before `end`. New audio mostly continues the last run. */
  add(start: number, end: number): void {
    const starts = this.#starts;
    const ends = this.#ends;
    let from = starts.length;
    while (from > 0 && (ends[from - 1] as number) >= start) from -= 1;
    let until = from;
    while (until < starts.length && (starts[until] as number) <= end) until += 1;
    if (until === from + 1) {
      starts[from] = Math.min(starts[from] as number, start);
      ends[from] = Math.max(ends[from] as number, end);
      return;
    }
    const isMerging = until > from;
    const merged = isMerging ? Math.min(starts[from] as number, start) : start;
    const mergedEnd = isMerging ? Math.max(ends[until - 1] as number, end) : end;
    starts.splice(from, until - from, merged);
    ends.splice(from, until - from, mergedEnd);
  }

  forgetBefore(time: number): void {
    const starts = this.#starts;
    const ends = this.#ends;
    while (starts.length > 0 && (ends[0] as number) <= time) {
      starts.shift();
      ends.shift();
    }
    if (starts.length > 0 && (starts[0] as number) < time) starts[0] = time;
  }

  clear(): void {
    this.#starts.length = 0;
    this.#ends.length = 0;
  }

  #runAt(time: number): number {
    for (let index = 0; index < this.#starts.length && (this.#starts[index] as number) <= time; index++) {
      if ((this.#ends[index] as number) > time) return index;
    }
    return -1;
  }
}
