import { type Clock, systemClock } from "@parley/time/clock";

/** Real time that passes faster, for tests with real sockets: what waits for half a minute waits for a second and a half. */
export function createFastClock(speed: number): Clock {
  const startMs = systemClock.now();
  return {
    now: () => startMs + (systemClock.now() - startMs) * speed,
    setTimer: (delayMs, fire) => systemClock.setTimer(delayMs / speed, fire),
  };
}
