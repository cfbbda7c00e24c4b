import type { Clock } from "./clock.ts";

/** A clock for tests: its time moves only when it is told to. */
export interface VirtualClock extends Clock {
  /** Lets time pass. Timers fire in order of their due time, and promises settle between one timer and the next. */
  advance(durationMs: number): Promise<void>;
  /**
   * Lets time stand still until the promise settles, and hands its outcome on: for work that takes real time, such as
   * rendering speech, which then takes none here.
   */
  holdFor<Value>(work: Promise<Value>): Promise<Value>;
  pendingTimers(): number;
  /** How far away the next timer is, or null when there is none. */
  nextTimerInMs(): number | null;
}

interface PendingTimer {
  readonly dueMs: number;
  readonly fire: () => void;
}

export function createVirtualClock(startMs = 0): VirtualClock {
  let nowMs = startMs;
  // A set keeps the order of insertion, which decides between timers that are due at the same instant.
  const timers = new Set<PendingTimer>();
  const holds = new Set<Promise<unknown>>();

  function earliest(): PendingTimer | null {
    let found: PendingTimer | null = null;
    for (const timer of timers) if (found === null || timer.dueMs < found.dueMs) found = timer;
    return found;
  }

  /** What was held for may lead to more of it. */
  async function everythingSettles(): Promise<void> {
    await promisesSettle();
    while (holds.size > 0) {
      await Promise.allSettled(holds);
      await promisesSettle();
    }
  }

  return {
    now: () => nowMs,
    setTimer(delayMs, fire) {
      const timer = { dueMs: nowMs + Math.max(0, delayMs), fire };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    async advance(durationMs) {
      const untilMs = nowMs + durationMs;
      await everythingSettles();
      for (let next = earliest(); next !== null && next.dueMs <= untilMs; next = earliest()) {
        timers.delete(next);
        nowMs = Math.max(nowMs, next.dueMs);
        next.fire();
        await everythingSettles();
      }
      nowMs = Math.max(nowMs, untilMs);
    },
    async holdFor(work) {
      holds.add(work);
      try {
        return await work;
      } finally {
        holds.delete(work);
      }
    },
    pendingTimers: () => timers.size,
    nextTimerInMs() {
      const next = earliest();
      return next === null ? null : Math.max(0, next.dueMs - nowMs);
    },
  };
}

/** One turn of the event loop runs every promise callback that is ready, however long their chain is. */
function promisesSettle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
