import fc from "fast-check";
import { expect, test } from "vitest";
import { digitWords } from "../to-speech/number-words.ts";
import { nameWords } from "../to-speech/numbers.ts";
import { findDigits } from "./find-digits.ts";

test.each([
  ["four one five", "415"],
  ["double four seven", "447"],
  ["triple nine", "999"],
  ["oh seven double oh", "0700"],
  ["nine, uh, one, one", "911"],
  ["4 1 5", "415"],
  ["415-555-0100", "4155550100"],
  ["four fifteen", "415"],
  ["eight hundred five five five", "800555"],
  ["two thousand", "2000"],
  ["one two for five", "1245"],
  ["five to nine two", "5292"],
  ["zero zero seven", "007"],
])("%j is dictated as %s", (text, value) => {
  expect(findDigits(text)).toMatchObject({ value, others: [], start: 0, end: text.length });
});

test.each([
  ["twenty five", "25", ["205"]],
  ["eight hundred fifteen", "815", ["80015"]],
])("%j can be taken in two ways", (text, value, others) => {
  expect(findDigits(text)).toMatchObject({ value, others });
});

test("the expected length decides between the readings", () => {
  expect(findDigits("twenty five", { length: 3 })).toMatchObject({ value: "205", others: ["25"] });
  expect(findDigits("twenty five", { length: 2 })).toMatchObject({ value: "25", others: ["205"] });
  expect(findDigits("twenty five", { length: 7 })).toMatchObject({ value: "25" });
});

test("the longest of several rows is meant", () => {
  const text = "I have two, and the code is four four one nine.";
  const found = findDigits(text);
  expect(found?.value).toBe("4419");
  expect(text.slice(found?.start, found?.end)).toBe("four four one nine");
});

test.each(["Oh, yes", "oh", "this one", "for you", ""])("nothing is dictated in %j", (text) => {
  expect(findDigits(text)).toBeNull();
});

test("digits are understood as they are said, with and without pauses", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{1,16}$/), (digits) => {
      expect(findDigits(`it is ${digitWords(digits)}.`)?.value).toBe(digits);
      expect(findDigits(nameWords(digits))?.value).toBe(digits);
    }),
    { numRuns: 1_000, seed: 7 },
  );
});

test("a digit that is said as several of them is repeated", () => {
  expect(findDigits("two fives and three zeros, one")?.value).toBe("550001");
});
