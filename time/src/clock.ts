/** For code that only waits and never reads the time. */
export interface Timers {
  /** Runs `fire` once. Returns a function that cancels it and does nothing after it has fired. */
  setTimer(delayMs: number, fire: () => void): () => void;
}

/** Time as a parameter, so that a test can let two hours pass without waiting. */
export interface Clock extends Timers {
  /** Milliseconds since 1970. */
  now(): number;
}

/** `setTimeout` takes a signed 32-bit number and fires immediately when given more. */
const TIMER_DELAY_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(delayMs, fire) {
    // A timeout takes at least a millisecond, also one of 0.
    if (delayMs <= 0) {
      const immediate = setImmediate(fire);
      return () => clearImmediate(immediate);
    }
    const timer = setTimeout(fire, Math.min(delayMs, TIMER_DELAY_MAX_MS));
    return () => clearTimeout(timer);
  },
};
