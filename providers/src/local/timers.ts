/** The part of a clock that a queue needs. */
export interface Timers {
  /** Runs `fire` once. Returns the function that cancels it, which is harmless afterwards. */
  setTimer(delayMs: number, fire: () => void): () => void;
}

export const systemTimers: Timers = {
  setTimer(delayMs, fire) {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};
