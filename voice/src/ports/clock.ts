/** Time as a parameter, so that a test can hold an hour of conversation without waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `fire` once. Returns the function that cancels it, which is harmless afterwards. */
  setTimer(delayMs: number, fire: () => void): () => void;
}
