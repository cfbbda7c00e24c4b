import { type Clock, systemClock } from "@parley/time/clock";

/** The clock of the system, which counts the timers that were neither fired nor cancelled. */
export interface WatchedClock extends Clock {
  pending(): number;
}

export function createWatchedClock(): WatchedClock {
  let pending = 0;
  return {
    now: () => systemClock.now(),
    setTimer(delayMs, fire) {
      let isSet = true;
      pending += 1;
      const cancel = systemClock.setTimer(delayMs, () => {
        release();
        fire();
      });
      function release(): void {
        if (isSet) pending -= 1;
        isSet = false;
      }
      return () => {
        release();
        cancel();
      };
    },
    pending: () => pending,
  };
}
