import { expect, test } from "vitest";
import { clockWords } from "../to-speech/times.ts";
import { findTime } from "./find-time.ts";

test.each([
  ["noon", "12:00"],
  ["midnight", "00:00"],
  ["quarter past noon", "12:15"],
  ["ten to midnight", "23:50"],
  ["quarter to nine pm", "20:45"],
  ["half past two in the afternoon", "14:30"],
  ["ten in the morning", "10:00"],
  ["eleven at night", "23:00"],
  ["two at night", "02:00"],
  ["2:30 PM", "14:30"],
  ["14:30", "14:30"],
  ["09:15", "09:15"],
  ["fourteen hundred hours", "14:00"],
  ["oh nine hundred", "09:00"],
  ["twelve thirty am", "00:30"],
  ["three p m", "15:00"],
  ["twenty three fifteen", "23:15"],
])("%j is one time", (text, value) => {
  expect(findTime(text)).toEqual({ value, others: [], start: 0, end: text.length });
});

test("the dots of p.m. are part of it", () => {
  expect(findTime("at 2:30 p.m. please")).toMatchObject({ value: "14:30", others: [] });
});

test.each([
  ["half past two", "14:30", "02:30"],
  ["a quarter past two", "14:15", "02:15"],
  ["half two", "14:30", "02:30"],
  ["two thirty", "14:30", "02:30"],
  ["nine oh five", "09:05", "21:05"],
  ["twenty to five", "16:40", "04:40"],
  ["seven minutes to six", "17:53", "05:53"],
  ["ten past six", "18:10", "06:10"],
  ["quarter to one", "12:45", "00:45"],
  ["three o'clock", "15:00", "03:00"],
  ["seven", "07:00", "19:00"],
  ["maybe eleven", "11:00", "23:00"],
  ["at two", "14:00", "02:00"],
  ["around 5", "17:00", "05:00"],
])("%j is rather the one that appointments are made for", (text, value, other) => {
  expect(findTime(text)).toMatchObject({ value, others: [other] });
});

test("a part of the day that is named elsewhere decides", () => {
  expect(findTime("tomorrow evening, at seven if you can")).toMatchObject({ value: "19:00", others: [] });
  expect(findTime("good evening, at seven if you can")).toMatchObject({ value: "07:00", others: ["19:00"] });
});

test.each(["two people", "two to three people", "the third of March", "at home", "25:00", ""])(
  "no time is in %j",
  (text) => {
    expect(findTime(text)).toBeNull();
  },
);

test("every minute of the day is understood as it is said", () => {
  for (let minutes = 0; minutes < 24 * 60; minutes++) {
    const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
    const text = clockWords({ hour, minute, meridiem: null, is24Hour: true }) ?? "";
    const value = `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
    expect(findTime(`at ${text}`), text).toMatchObject({ value, others: [] });
  }
});
