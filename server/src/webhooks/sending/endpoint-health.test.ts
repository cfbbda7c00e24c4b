import { expect, test } from "vitest";
import { dueAfterFailure, type EndpointHealth, FAILURES_TO_OPEN, PAUSE_MAX_MS, stepHealth } from "./endpoint-health.ts";

const HEALTHY: EndpointHealth = { failuresInARow: 0, pausedUntilMs: null, failingSinceMs: null, lastSuccessAtMs: null };
const at = (ms: number, isSuccess: boolean, retryAfterMs: number | null = null) => ({
  isSuccess,
  startedAtMs: ms,
  endedAtMs: ms,
  retryAfterMs,
});
const failTimes = (count: number, from = HEALTHY) =>
  Array.from({ length: count }).reduce<EndpointHealth>(
    (health, _, index) => stepHealth(health, at(index, false)),
    from,
  );

test("an endpoint that fails occasionally is not paused", () => {
  const health = failTimes(FAILURES_TO_OPEN - 1);
  expect(health).toMatchObject({ failuresInARow: FAILURES_TO_OPEN - 1, pausedUntilMs: null, failingSinceMs: 0 });
  expect(stepHealth(health, at(99, true))).toEqual({ ...HEALTHY, lastSuccessAtMs: 99 });
});

test("an endpoint that fails five times in a row is paused, longer with each failed probe, up to five minutes", () => {
  let health = failTimes(FAILURES_TO_OPEN);
  const pauses: number[] = [];
  for (let probe = 0; probe < 8; probe += 1) {
    const startMs = health.pausedUntilMs ?? 0;
    health = stepHealth(health, at(startMs, false));
    pauses.push((health.pausedUntilMs ?? 0) - startMs);
  }
  expect(pauses).toEqual([20_000, 40_000, 80_000, 160_000, ...Array(4).fill(PAUSE_MAX_MS)]);
  expect(stepHealth(health, at(1e9, true))).toMatchObject({ failuresInARow: 0, pausedUntilMs: null });
});

test("requests that were pending when the pause began do not extend it", () => {
  const open = failTimes(FAILURES_TO_OPEN);
  const late = { ...at(3, false), endedAtMs: 9000 };
  expect(stepHealth(open, late)).toEqual(open);
});

test("an endpoint that sends Retry-After gets no events until then, for at most ten minutes", () => {
  expect(stepHealth(HEALTHY, at(0, false, 30_000)).pausedUntilMs).toBe(30_000);
  expect(stepHealth(HEALTHY, at(0, false, 86_400_000)).pausedUntilMs).toBe(600_000);
});

test("owners are warned once after a day without success, and the endpoint is disabled after five", () => {
  const dayMs = 24 * 3600 * 1000;
  const failing = failTimes(1);
  expect(dueAfterFailure(failing, false, dayMs - 1)).toBeNull();
  expect(dueAfterFailure(failing, false, dayMs)).toBe("warn");
  expect(dueAfterFailure(failing, true, 4 * dayMs)).toBeNull();
  expect(dueAfterFailure(failing, true, 5 * dayMs)).toBe("disable");
  expect(dueAfterFailure(HEALTHY, false, 99 * dayMs)).toBeNull();
});
