import { expect, test } from "vitest";
import { writeNumerals } from "./write-numerals.ts";

test.each([
  ["four", "4"],
  ["twenty-five", "25"],
  ["one hundred and two", "100 and 2"],
  ["three hundred forty one", "341"],
  ["two thousand twenty six", "2026"],
  ["fifth", "5th"],
  ["the twenty first", "the 21st"],
  ["twelfth", "12th"],
  ["thirtieth", "30th"],
  ["May third", "May 3rd"],
  ["one two three", "1 2 3"],
  ["Press one for yes", "Press 1 for yes"],
  ["hundred", "100"],
])("%s may be written %s", (spoken, written) => {
  expect(writeNumerals(spoken)).toBe(written);
});

test.each(["yes", "another day", "Tuesday", "cancel it, please"])("%s has no numbers in it", (spoken) => {
  expect(writeNumerals(spoken)).toBeNull();
});
