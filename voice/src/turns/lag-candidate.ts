import type { LagFound } from "./lag-search.ts";

/** An echo behind noise or a bad speaker is above this. */
const LIKENESS_MIN = 0.5;
/** The same lag, though the wave falls between two samples. */
const SAME_LAGS = 2;

/** The lag that was the best one lately, and for how much sound. */
export class LagCandidate {
  #found: LagFound | null = null;
  #lastedMs = 0;

  get isLike(): boolean {
    return this.#found !== null;
  }

  follow(best: LagFound, elapsedMs: number): void {
    const isLike = best.likeness > LIKENESS_MIN;
    const isSame = isLike && this.#found !== null && Math.abs(best.lag - this.#found.lag) <= SAME_LAGS;
    this.#lastedMs = isSame ? this.#lastedMs + elapsedMs : 0;
    this.#found = isLike ? best : null;
  }

  lasted(leastMs: number): LagFound | null {
    return this.#lastedMs >= leastMs ? this.#found : null;
  }
}
