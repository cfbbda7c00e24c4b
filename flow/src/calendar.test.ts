import { expect, test } from "vitest";
import {
  dateOfDayNumber,
  dayNumberOf,
  daysInMonth,
  formatDay,
  isCalendarDate,
  isDay,
  localDateOf,
  parseDay,
  weekdayOf,
} from "./calendar.ts";

test("counting days visits every day once, including leap years", () => {
  const first = dayNumberOf({ year: 1896, month: 1, day: 1 });
  const last = dayNumberOf({ year: 2104, month: 12, day: 31 });
  for (let dayNumber = first; dayNumber <= last; dayNumber++) {
    expect(dayNumberOf(dateOfDayNumber(dayNumber))).toBe(dayNumber);
  }
});

test.each([
  [{ year: 1970, month: 1, day: 1 }, 4],
  [{ year: 1969, month: 12, day: 28 }, 0],
  [{ year: 2026, month: 11, day: 11 }, 3],
])("%o is on weekday %d", (date, weekday) => {
  expect(weekdayOf(dayNumberOf(date))).toBe(weekday);
});

test("February has 29 days only in leap years", () => {
  expect([1900, 2000, 2026, 2028].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 28, 29]);
});

test.each([
  { year: 2026, month: 2, day: 29 },
  { year: 2026, month: 13, day: 1 },
  { year: 2026, month: 0, day: 1 },
  { year: 2026, month: 4, day: 31 },
  { year: 2026, month: 4, day: 0 },
])("%o is on no calendar", (date) => {
  expect(isCalendarDate(date)).toBe(false);
});

test("the same moment is another day elsewhere", () => {
  const nowMs = Date.parse("2026-12-31T23:30:00Z");
  expect(localDateOf(nowMs, "UTC")).toEqual({ year: 2026, month: 12, day: 31 });
  expect(localDateOf(nowMs, "Europe/Berlin")).toEqual({ year: 2027, month: 1, day: 1 });
});

test("the first century is not the twentieth", () => {
  const first = dayNumberOf({ year: 1, month: 1, day: 1 });
  expect(dateOfDayNumber(first)).toEqual({ year: 1, month: 1, day: 1 });
  expect(dateOfDayNumber(dayNumberOf({ year: 99, month: 12, day: 31 }) + 1)).toEqual({ year: 100, month: 1, day: 1 });
  expect([4, 96, 99, 100].map((year) => daysInMonth(year, 2))).toEqual([29, 29, 28, 28]);
  expect(parseDay("0026-03-05")).toBe(dayNumberOf({ year: 26, month: 3, day: 5 }));
  expect([isDay(first), isDay(first - 1), isDay(first + 0.5)]).toEqual([true, false, false]);
});

test.each(["2026-02-28", "0001-01-01", "0099-12-31", "9999-12-31"])("%s is written as it was read", (text) => {
  expect(formatDay(parseDay(text) ?? Number.NaN)).toBe(text);
});

test.each(["2026-02-29", "2026-13-01", "0000-01-01", "26-03-05", "2026-3-5", "", "tomorrow"])(
  "%j is no day",
  (text) => {
    expect(parseDay(text)).toBeNull();
  },
);
