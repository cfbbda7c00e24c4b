import { expect, test } from "vitest";
import { cardinalWords, decimalWords, digitWords, ordinalWords, yearWords } from "./number-words.ts";

test.each([
  [0, "zero"],
  [7, "seven"],
  [13, "thirteen"],
  [20, "twenty"],
  [21, "twenty-one"],
  [100, "one hundred"],
  [110, "one hundred ten"],
  [342, "three hundred forty-two"],
  [1_000, "one thousand"],
  [1_001, "one thousand one"],
  [12_345, "twelve thousand three hundred forty-five"],
  [1_000_000, "one million"],
  [2_000_015, "two million fifteen"],
  [
    999_999_999_999,
    "nine hundred ninety-nine billion nine hundred ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine",
  ],
  [1_000_000_000_000, "one trillion"],
  [-4, "minus four"],
])("%d is counted as %j", (value, words) => {
  expect(cardinalWords(value)).toBe(words);
});

test("a number too long to follow is read digit by digit", () => {
  expect(cardinalWords(1e15)).toBe(`one ${"zero ".repeat(15)}`.trim());
});

test.each([
  [1, "first"],
  [2, "second"],
  [3, "third"],
  [5, "fifth"],
  [8, "eighth"],
  [9, "ninth"],
  [12, "twelfth"],
  [20, "twentieth"],
  [21, "twenty-first"],
  [40, "fortieth"],
  [100, "one hundredth"],
  [103, "one hundred third"],
  [1_000, "one thousandth"],
])("%d in a row is the %j", (value, words) => {
  expect(ordinalWords(value)).toBe(words);
});

test.each([
  ["3.05", "three point zero five"],
  ["0.5", "zero point five"],
  [".5", "zero point five"],
  ["1,234.50", "one thousand two hundred thirty-four point five zero"],
  ["12", "twelve"],
])("%s is said %j", (written, words) => {
  expect(decimalWords(written)).toBe(words);
});

test("digits are said one by one, whatever stands between them", () => {
  expect(digitWords("(415) 555-0100")).toBe("four one five five five five zero one zero zero");
});

test.each([
  [1066, "ten sixty-six"],
  [1900, "nineteen hundred"],
  [1905, "nineteen oh five"],
  [1999, "nineteen ninety-nine"],
  [2000, "two thousand"],
  [2005, "two thousand five"],
  [2010, "twenty ten"],
  [2026, "twenty twenty-six"],
  [476, "four hundred seventy-six"],
])("the year %d is %j", (year, words) => {
  expect(yearWords(year)).toBe(words);
});
