import type { Timers } from "../clock.ts";

/** Timers for tests that fire, synchronously, when the test lets time pass. For code that awaits, use the virtual clock. */
export interface ManualTimers extends Timers {
  /** Fires the timers due by then, in the order in which they were set. */
  pass(durationMs: number): void;
  pending(): number;
}

export function createManualTimers(): ManualTimers {
  const timers = new Set<{ leftMs: number; fire: () => void }>();
  return {
    setTimer(delayMs, fire) {
      const timer = { leftMs: delayMs, fire };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    pass(durationMs) {
      const due = [...timers].filter((timer) => timer.leftMs <= durationMs);
      for (const timer of timers) timer.leftMs -= durationMs;
      // A timer may cancel another one that is due, which then does not fire.
      for (const timer of due) if (timers.delete(timer)) timer.fire();
    },
    pending: () => timers.size,
  };
}
