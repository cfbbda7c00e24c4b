import type { Clock } from "@parley/time/clock";

/** A clock that a test advances. */
export interface ManualClock extends Clock {
  pass(durationMs: number): void;
  /** Timers that were set and neither fired nor were cancelled. */
  pending(): number;
}

export function createManualClock(): ManualClock {
  const timers = new Set<{ readonly dueMs: number; readonly fire: () => void }>();
  let nowMs = 0;
  return {
    now: () => nowMs,
    setTimer(delayMs, fire) {
      const timer = { dueMs: nowMs + delayMs, fire };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass(durationMs) {
      nowMs += durationMs;
      for (const timer of [...timers].toSorted((one, other) => one.dueMs - other.dueMs)) {
        if (timer.dueMs <= nowMs && timers.delete(timer)) timer.fire();
      }
    },
    pending: () => timers.size,
  };
}
