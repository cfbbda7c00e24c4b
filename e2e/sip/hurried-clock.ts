import type { Clock } from "@parley/time/clock";

/**
 * A clock that runs this many times faster than the real one, for what takes minutes by its RFC: the lives of sessions
 * and the half minute that a transaction lingers. Audio is not affected: it keeps its own time.
 */
export function hurriedClock(factor: number): Clock {
  const startMs = Date.now();
  const realStartMs = performance.now();
  return {
    now: () => startMs + (performance.now() - realStartMs) * factor,
    setTimer(delayMs, fire) {
      const timer = setTimeout(fire, Math.min(delayMs / factor, 2 ** 31 - 1));
      return () => clearTimeout(timer);
    },
  };
}
