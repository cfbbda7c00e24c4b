import { systemClock } from "@parley/time/clock";
import { within as withinTime } from "@parley/time/within";

/** Turns endless waiting into a failure that names what was awaited. */
export function within<Value>(
  promise: Promise<Value>,
  what: string | (() => string),
  timeoutMs = 45_000,
): Promise<Value> {
  return withinTime(systemClock, timeoutMs, promise, () => {
    const awaited = typeof what === "string" ? what : what();
    throw new Error(`${awaited} did not come within ${timeoutMs} ms`);
  });
}
