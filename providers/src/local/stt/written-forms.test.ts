import { expect, test } from "vitest";
import { writeNumerals, writtenForms } from "./written-forms.ts";

test("an answer may be written as a sentence, as a word, and with figures", () => {
  expect(writtenForms("twenty-five")).toEqual(expect.arrayContaining(["twenty-five", "Twenty-five.", "25", "25."]));
  expect(writtenForms("yes, please.")).toEqual(expect.arrayContaining(["yes, please", "Yes, please.", "Yes, please!"]));
});

test("an answer without a word has no form", () => {
  expect(writtenForms(" . ")).toEqual([]);
});

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
