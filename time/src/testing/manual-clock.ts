import type { Clock } from "../clock.ts";

/** A clock for tests whose timers fire, synchronously, when the test lets time pass. For code that awaits, use the virtual clock. */
export interface ManualClock extends Clock {
  /** Fires the timers due by then, in the order in which they are due. */
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
      return () => {
        timers.delete(timer);
      };
    },
    pass(durationMs) {
      nowMs += durationMs;
      const due = [...timers].filter(({ dueMs }) => dueMs <= nowMs).toSorted((one, other) => one.dueMs - other.dueMs);
      // A timer may cancel another one that is due, which then does not fire.
      for (const timer of due) if (timers.delete(timer)) timer.fire();
    },
    pending: () => timers.size,
  };
}
