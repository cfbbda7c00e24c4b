import type { Timers } from "../timers.ts";

/** Timers that fire when a test says so. */
export interface ManualTimers extends Timers {
  /** Fires those that were set for this long or less. */
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
      for (const timer of timers) timer.leftMs -= durationMs;
      for (const timer of timers) {
        if (timer.leftMs > 0) continue;
        timers.delete(timer);
        timer.fire();
      }
    },
    pending: () => timers.size,
  };
}
