/** Time as a parameter, so that a test can let two hours pass without waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `fire` once. Returns the function that cancels it, which is harmless afterwards. */
  setTimer(delayMs: number, fire: () => void): () => void;
}

/** `setTimeout` takes a signed 32-bit number and fires at once when given more. */
const TIMER_DELAY_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(delayMs, fire) {
    const timer = setTimeout(fire, Math.min(delayMs, TIMER_DELAY_MAX_MS));
    return () => clearTimeout(timer);
  },
};
