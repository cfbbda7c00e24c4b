/** The part of a clock that language models need. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `fire` once. Returns the function that cancels it, which is harmless afterwards. */
  setTimer(delayMs: number, fire: () => void): () => void;
}
