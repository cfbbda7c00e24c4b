import { dateOfDayNumber, dayNumberOf, isoDateOf } from "@parley/flow/calendar";
import { describe, expect, test } from "vitest";
import { dateWords } from "../to-speech/dates.ts";
import { type DateWanted, findDate } from "./find-date.ts";

/** Wednesday, the 11th of November 2026, ten in the morning in New York. */
const wednesday: DateWanted = { nowMs: Date.parse("2026-11-11T15:00:00Z"), timeZone: "America/New_York" };

describe("ahead of a Wednesday, the 11th of November", () => {
  test.each([
    ["today", "2026-11-11"],
    ["tonight", "2026-11-11"],
    ["tomorrow", "2026-11-12"],
    ["the day after tomorrow", "2026-11-13"],
    ["yesterday", "2026-11-10"],
    ["tuesday", "2026-11-17"],
    ["this tuesday", "2026-11-17"],
    ["this wednesday", "2026-11-11"],
    ["friday", "2026-11-13"],
    ["last monday", "2026-11-09"],
    ["last wednesday", "2026-11-04"],
    ["tuesday week", "2026-11-24"],
    ["tuesday of next week", "2026-11-17"],
    ["friday next week", "2026-11-20"],
    ["next week on friday", "2026-11-20"],
    ["monday this week", "2026-11-09"],
    ["in three days", "2026-11-14"],
    ["in a couple of weeks", "2026-11-25"],
    ["two weeks from now", "2026-11-25"],
    ["a week from friday", "2026-11-20"],
    ["a week ago", "2026-11-04"],
    ["in three months", "2027-02-11"],
    ["the third of march", "2027-03-03"],
    ["march third", "2027-03-03"],
    ["March 3rd, 2028", "2028-03-03"],
    ["march third twenty twenty eight", "2028-03-03"],
    ["3rd of march two thousand and thirty", "2030-03-03"],
    ["november 11", "2026-11-11"],
    ["november tenth", "2027-11-10"],
    ["february 29th", "2028-02-29"],
    ["the third", "2026-12-03"],
    ["the thirty first", "2026-12-31"],
    ["the 15th", "2026-11-15"],
    ["the third of next month", "2026-12-03"],
    ["the end of the month", "2026-11-30"],
    ["christmas eve", "2026-12-24"],
    ["new year's day", "2027-01-01"],
    ["tuesday, november seventeenth", "2026-11-17"],
    ["friday the thirteenth", "2026-11-13"],
    ["2026-12-24", "2026-12-24"],
    ["12/25/2026", "2026-12-25"],
    ["25/12", "2026-12-25"],
    ["good friday", "2027-03-26"],
    ["easter monday", "2027-03-29"],
    ["pancake day", "2027-02-09"],
    ["bonfire night", "2027-11-05"],
    ["st patrick's day", "2027-03-17"],
    ["the week after next, on the tuesday", "2026-11-24"],
    ["tuesday of the week after next", "2026-11-24"],
  ])("%j is %s", (text, value) => {
    expect(findDate(text, wednesday)).toEqual({ value, others: [], start: 0, end: text.length });
  });

  test.each(["thursday the twelfth in the morning", "thursday, the twelfth in all likelihood"])(
    "the day of the month counts where the weekday agrees: %s",
    (text) => expect(findDate(text, wednesday)?.value).toBe("2026-11-12"),
  );

  test("a weekday with a day of the month two weeks away is not the next one", () => {
    expect(findDate("thursday the nineteenth in the morning", wednesday)?.value).toBe("2026-11-19");
    expect(findDate("friday the nineteenth in the queue", wednesday)?.value).toBe("2026-11-13");
  });

  test.each([
    ["next tuesday", "2026-11-17", ["2026-11-24"]],
    ["next friday", "2026-11-20", ["2026-11-13"]],
    ["next wednesday", "2026-11-18", ["2026-11-25"]],
    ["wednesday", "2026-11-18", ["2026-11-11"]],
    ["saturday or sunday", "2026-11-14", ["2026-11-15"]],
    ["3/4", "2027-03-04", ["2027-04-03"]],
    ["monday the thirteenth of november", "2026-11-13", ["2026-11-16"]],
  ])("%j is %s, or else %s", (text, value, others) => {
    expect(findDate(text, wednesday)).toMatchObject({ value, others });
  });

  test("the words around a date are not part of it", () => {
    const text = "Could we say the third of March, at two thirty?";
    const found = findDate(text, wednesday);
    expect(text.slice(found?.start, found?.end)).toBe("the third of March");
  });

  test.each([
    "next week",
    "march 2027",
    "the third option",
    "first of all",
    "you may go",
    "in a minute",
    "february 30th",
    "",
  ])("%j names no day", (text) => {
    expect(findDate(text, wednesday)).toBeNull();
  });
});

describe("behind us", () => {
  const past: DateWanted = { ...wednesday, prefer: "past" };

  test.each([
    ["march third nineteen eighty four", "1984-03-03"],
    ["march third eighty four", "1984-03-03"],
    ["the 5th of may 1990", "1990-05-05"],
    ["march third", "2026-03-03"],
    ["the third", "2026-11-03"],
    ["tuesday", "2026-11-10"],
    ["december first oh five", "2025-12-01"],
    ["April 12, 1985", "1985-04-12"],
    ["february twenty-sixth", "2026-02-26"],
    ["easter sunday", "2026-04-05"],
    ["good friday", "2026-04-03"],
    ["three days back", "2026-11-08"],
  ])("%j is %s", (text, value) => {
    expect(findDate(text, past)).toMatchObject({ value });
  });

  test.each([
    ["a week today", "2026-11-04"],
    ["it's eight days now", "2026-11-03"],
    ["twenty-one of february", "2026-02-21"],
    ["eighteen march", "2026-03-18"],
  ])("where a day was asked for, %j is %s", (text, value) => {
    expect(findDate(text, { ...past, isAsked: true })).toMatchObject({ value });
  });
});

test.each([
  [2024, "03-31"],
  [2025, "04-20"],
  [2027, "03-28"],
  [2038, "04-25"],
  [2049, "04-18"],
])("Easter of %s is on %s", (year, day) => {
  expect(findDate("easter sunday", { nowMs: Date.UTC(year, 0, 2), timeZone: "UTC" })?.value).toBe(`${year}-${day}`);
});

test("a date with slashes is read in the local order", () => {
  expect(findDate("3/4/2027", { ...wednesday, isDayFirst: true })).toMatchObject({ value: "2027-04-03" });
});

test("today is the day where the callee is", () => {
  const nowMs = Date.parse("2026-11-12T03:00:00Z");
  expect(findDate("today", { nowMs, timeZone: "America/New_York" })?.value).toBe("2026-11-11");
  expect(findDate("today", { nowMs, timeZone: "Asia/Tokyo" })?.value).toBe("2026-11-12");
});

test.each([false, true])("every day of three years is understood as it is said (day first: %s)", (isDayFirst) => {
  const first = dayNumberOf({ year: 2027, month: 1, day: 1 });
  for (let dayNumber = first; dayNumber < first + 3 * 365; dayNumber++) {
    const date = dateOfDayNumber(dayNumber);
    const text = dateWords(date, { isDayFirst });
    expect(findDate(text, wednesday), text).toEqual({ value: isoDateOf(date), others: [], start: 0, end: text.length });
  }
});
