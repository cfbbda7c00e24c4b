import { expect, test } from "vitest";
import { formatBalance, formatClock, formatHourOfDay, formatMoment, formatUsd, formatWallClock } from "./format.ts";

test.each([
  ["0", "$0"],
  ["1.25", "$1.25"],
  ["-0.004", "-$0.004"],
])("an amount of %s is written %s", (amount, written) => {
  expect(formatUsd(amount)).toBe(written);
});

test.each([
  ["10", "$10.00"],
  ["10.5", "$10.50"],
  // Never more than there is.
  ["0.999999", "$0.99"],
  ["-3.2", "-$3.20"],
])("a balance of %s is shown as %s", (amount, shown) => {
  expect(formatBalance(amount)).toBe(shown);
});

test.each([
  [0, "0:00"],
  [9.9, "0:09"],
  [75, "1:15"],
  [3600, "1:00:00"],
  [36_061, "10:01:01"],
  [-1, "0:00"],
])("%s seconds are %s", (seconds, clock) => {
  expect(formatClock(seconds)).toBe(clock);
});

test("hours of a 12-hour clock have no leading zero", () => {
  const at = (hours: number) => new Date(2026, 0, 1, hours, 5);
  const plain = (text: string) => text.replaceAll("\u202f", " ");
  expect(plain(formatMoment(at(21).toISOString(), at(22).getTime()))).toBe("9:05 PM");
  expect(plain(formatHourOfDay(9))).toBe("9:00 AM–9:59 AM");
  // Also a time that the reader's own time zone skipped.
  expect(plain(formatWallClock("2026-03-29T02:30:00"))).toBe("2:30 AM");
});
