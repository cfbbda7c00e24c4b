import type { Timers } from "../tools/timers.ts";

/** Time that passes when it is told to. */
export interface ManualTimers extends Timers {
  /** Fires every timer that is due within so many milliseconds from now, in order. */
  pass(durationMs: number): Promise<void>;
  pending(): number;
}

export function createManualTimers(): ManualTimers {
  const waiting = new Set<{ readonly dueMs: number; readonly fire: () => void }>();
  let nowMs = 0;
  return {
    setTimer(delayMs, fire) {
      const timer = { dueMs: nowMs + delayMs, fire };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    async pass(durationMs) {
      const untilMs = nowMs + durationMs;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        const [next] = [...waiting].toSorted((one, other) => one.dueMs - other.dueMs);
        if (next === undefined || next.dueMs > untilMs) break;
        nowMs = next.dueMs;
        waiting.delete(next);
        next.fire();
      }
      nowMs = untilMs;
    },
    pending: () => waiting.size,
  };
}
