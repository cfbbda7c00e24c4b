import type { Clock } from "@parley/time/clock";

/** A clock that knows how many of its timers are pending. */
export interface CountingClock extends Clock {
  pendingTimers(): number;
}

export function createCountingClock(clock: Clock): CountingClock {
  const pending = new Set<symbol>();
  return {
    now: () => clock.now(),
    pendingTimers: () => pending.size,
    setTimer(delayMs, fire) {
      const timer = Symbol("timer");
      pending.add(timer);
      const cancel = clock.setTimer(delayMs, () => {
        pending.delete(timer);
        fire();
      });
      return () => {
        pending.delete(timer);
        cancel();
      };
    },
  };
}
