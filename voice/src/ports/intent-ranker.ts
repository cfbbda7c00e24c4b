/**
 * The port to a model that scores how close an utterance is to things that could be meant. It ranks; whether the best is
 * good enough, and far enough ahead of the second, is decided by the caller.
 */
export interface IntentRanker {
  readonly name: string;
  /** Phrases that candidates will have soon, so that ranking them is fast. Returns immediately, and never fails. */
  prepare(phrases: readonly string[]): void;
  /**
   * One score for each candidate, in their order, from 0 (nothing in common) to 1 (the same words). A candidate is as
   * close as the closest of its phrases. Rejects with a ProviderError if it is unavailable, or with the signal's
   * reason.
   */
  rank(text: string, candidates: readonly IntentCandidate[], signal?: AbortSignal): Promise<readonly IntentScore[]>;
}

/** Something that could be meant. */
export interface IntentCandidate {
  readonly id: string;
  /** How people say it. */
  readonly phrases: readonly string[];
}

export interface IntentScore {
  readonly id: string;
  readonly score: number;
}
