import { expect, test } from "vitest";
import { ordinalWords } from "../to-speech/number-words.ts";
import { findOrdinal } from "./find-ordinal.ts";

test("every ordinal up to ten thousand is understood as it is said", () => {
  for (let value = 0; value < 10_000; value++) {
    const text = ordinalWords(value);
    expect(findOrdinal(text)).toEqual({ value, others: [], start: 0, end: text.length });
  }
});

test.each([
  ["the 3rd one", "3rd", 3],
  ["the one hundred and fifth time", "one hundred and fifth", 105],
  ["my twenty first", "twenty first", 21],
])("in %j it is %j", (text, said, value) => {
  const found = findOrdinal(text);
  expect(found?.value).toBe(value);
  expect(text.slice(found?.start, found?.end)).toBe(said);
});

test.each(["twenty one", "3", "hundredth", ""])("there is no ordinal in %j", (text) => {
  expect(findOrdinal(text)).toBeNull();
});
