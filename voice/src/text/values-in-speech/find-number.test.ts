import fc from "fast-check";
import { expect, test } from "vitest";
import { cardinalWords, decimalWords } from "../to-speech/number-words.ts";
import { findNumber } from "./find-number.ts";

test.each([
  ["seven", 7],
  ["zero", 0],
  ["twenty-five", 25],
  ["a hundred and twenty", 120],
  ["twenty-five hundred", 2_500],
  ["two million three hundred thousand", 2_300_000],
  ["six hundred thousand and five", 600_005],
  ["one hundred and one thousand", 101_000],
  ["12 thousand", 12_000],
  ["1,234.5", 1_234.5],
  ["1.5 million", 1_500_000],
  ["three point five", 3.5],
  ["three point one four", 3.14],
  ["point five", 0.5],
  ["one point five million", 1_500_000],
  ["minus four", -4],
  ["negative three point one", -3.1],
  ["three and a half", 3.5],
  ["a half", 0.5],
  ["two and three quarters", 2.75],
  ["a dozen", 12],
  ["two dozen", 24],
  ["a couple", 2],
  ["nineteen eighty-four", 1_984],
  ["twenty twenty", 2_020],
  ["two oh five", 205],
  ["one two three", 123],
  ["five oh", 50],
])("%j is a number", (text, value) => {
  expect(findNumber(text)).toEqual({ value, others: [], start: 0, end: text.length });
});

test.each([
  ["Well, I'd say twelve.", "twelve", 12],
  ["There are 42 of us", "42", 42],
  ["twenty, thirty at most", "twenty", 20],
  ["two hundred, and five more", "two hundred", 200],
])("in %j the number is in %j", (text, said, value) => {
  const found = findNumber(text);
  expect(found?.value).toBe(value);
  expect(text.slice(found?.start, found?.end)).toBe(said);
});

test.each(["", "hello", "this one is fine", "no one", "oh", "and a", "hundreds of them", "the 2nd"])(
  "there is no number in %j",
  (text) => {
    expect(findNumber(text)).toBeNull();
  },
);

test.each([
  ["one fifty", 150, [1.5]],
  ["two or three", 2, [3]],
])("%j may mean more than one number", (text, value, others) => {
  expect(findNumber(text)).toMatchObject({ value, others });
});

test.each([
  ["for", 4],
  ["Too.", 2],
  ["won", 1],
  ["ate", 8],
])("%j alone sounds like a number", (text, value) => {
  expect(findNumber(text)?.value).toBe(value);
});

test("every number up to ten thousand is understood as it is said", () => {
  for (let value = 0; value < 10_000; value++) {
    const text = cardinalWords(value);
    expect(findNumber(text)).toEqual({ value, others: [], start: 0, end: text.length });
  }
});

test("numbers up to a trillion are understood as they are said", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (value) => {
      expect(findNumber(`it is ${cardinalWords(value)} exactly`)?.value).toBe(value);
      expect(findNumber(cardinalWords(-value))?.value).toBe(value === 0 ? 0 : -value);
    }),
    { numRuns: 3_000, seed: 7 },
  );
});

test("decimals are understood as they are said", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 0, max: 999 }), (whole, thousandths) => {
      const written = `${whole}.${String(thousandths).padStart(3, "0")}`;
      expect(findNumber(decimalWords(written))?.value).toBe(Number(written));
    }),
    { numRuns: 1_000, seed: 7 },
  );
});
