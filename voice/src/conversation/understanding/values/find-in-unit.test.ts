import { expect, test } from "vitest";
import { findInUnit } from "./find-in-unit.ts";

const MINUTES = "Thank you. How many minutes does it take?";

test.each([
  ["half an hour", 30],
  ["about three quarters of an hour", 45],
  ["an hour", 60],
  ["an hour and a half", 90],
  ["two hours and twenty minutes", 140],
  ["an hour and a quarter", 75],
  ["one and a half hours", 90],
])("%s in minutes", (text, value) => {
  expect(findInUnit(text, MINUTES)?.value).toBe(value);
});

test.each([
  ["about half of it", 50],
  ["three quarters, I'd say", 75],
  ["two thirds", 67],
  ["a third", 33],
  ["every single one", 100],
  ["none of it", 0],
])("%s in percent", (text, value) => {
  expect(findInUnit(text, "What percentage have you used?")?.value).toBe(value);
});

test.each([
  ["half an hour", "How many hours does it take?"],
  ["half of it", "How many boxes are left?"],
  ["twenty minutes", MINUTES],
  ["ten minutes, or half an hour at most", MINUTES],
  ["half a percent", "What percentage have you used?"],
])("%s needs no other unit: %s", (text, asked) => {
  expect(findInUnit(text, asked)).toBeNull();
});

test("the words around it are not part of it", () => {
  const text = "Oh, half an hour or so.";
  const found = findInUnit(text, MINUTES);
  expect(text.slice(found?.start, found?.end)).toBe("half an hour");
});
