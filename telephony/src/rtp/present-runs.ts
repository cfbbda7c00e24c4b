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

  /** Adds the times from `start` to before `end`. New sound mostly continues the last run. */
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
