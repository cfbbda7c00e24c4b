import { expect, test } from "vitest";
import { nextTryAt, RETRY_AFTER_MAX_MS, readRetryAfter, TRY_DELAYS_MS } from "./retry-schedule.ts";

const NOW = Date.UTC(2026, 0, 31, 9, 30);
const middle = () => 0.5;

test("an event is attempted 14 times over a little more than five days, and then abandoned", () => {
  let atMs = NOW;
  const tries = [atMs];
  for (;;) {
    const next = nextTryAt(tries.length, atMs, null, middle);
    if (next === null) break;
    tries.push(next);
    atMs = next;
  }
  expect(tries).toHaveLength(14);
  expect(tries.slice(1).map((at, index) => (at - (tries[index] ?? 0)) / 1000)).toEqual([
    5,
    30,
    120,
    600,
    1800,
    ...[2, 5, 10, 14, 20, 24, 24, 24].map((hours) => hours * 3600),
  ]);
  expect((atMs - NOW) / 3_600_000).toBeCloseTo(123.71, 2);
});

test("tries are spread by a tenth either way, and never further", () => {
  for (const [index, delayMs] of TRY_DELAYS_MS.entries()) {
    expect(nextTryAt(index, NOW, null, () => 0)).toBe(NOW + Math.round(delayMs * 0.9));
    expect(nextTryAt(index, NOW, null, () => 1)).toBe(NOW + Math.round(delayMs * 1.1));
  }
});

test("Retry-After is honoured up to a day, and never shortens the schedule", () => {
  expect(nextTryAt(1, NOW, 60_000, middle)).toBe(NOW + 60_000);
  expect(nextTryAt(1, NOW, 1000, middle)).toBe(NOW + 5000);
  expect(nextTryAt(1, NOW, 90 * RETRY_AFTER_MAX_MS, middle)).toBe(NOW + RETRY_AFTER_MAX_MS);
});

test.each([
  ["120", 120_000],
  [" 7 ", 7000],
  ["0", 0],
  ["Sat, 31 Jan 2026 09:31:00 GMT", 60_000],
  ["Sat, 31 Jan 2026 09:29:00 GMT", 0],
  ["86401", RETRY_AFTER_MAX_MS],
  ["1000000000", RETRY_AFTER_MAX_MS],
  ["9".repeat(400), RETRY_AFTER_MAX_MS],
  ["Fri, 31 Dec 9999 23:59:59 GMT", RETRY_AFTER_MAX_MS],
])("Retry-After: %s is understood", (header, ms) => {
  expect(readRetryAfter(header, NOW)).toBe(ms);
});

test.each([[null], [""], ["soon"], ["-5"], ["1.5"], ["1e3"], ["2026-01-31"], ["Sat, 99 Jan 2026 09:31:00 GMT"]])(
  "Retry-After: %s is not a valid time",
  (header) => {
    expect(readRetryAfter(header, NOW)).toBeNull();
  },
);
