import fc from "fast-check";
import { expect, test } from "vitest";
import { phoneWords } from "../to-speech/phone-numbers.ts";
import { findPhoneNumber } from "./find-digits.ts";

test.each([
  ["it's 415 555 0100", { digits: "4155550100", isInternational: false, extension: null }],
  ["four one five, triple five, oh one double oh", { digits: "4155550100", isInternational: false, extension: null }],
  [
    "plus four four, twenty, seven nine four six, oh nine five eight",
    { digits: "442079460958", isInternational: true, extension: null },
  ],
  ["+1 415 555 0100 extension twelve", { digits: "14155550100", isInternational: true, extension: "12" }],
])("%j is a phone number", (text, value) => {
  expect(findPhoneNumber(text)).toMatchObject({ value });
});

test.each(["call 911", "nine to five", "none", "1234567890123456"])("%j is not", (text) => {
  expect(findPhoneNumber(text)).toBeNull();
});

test("international numbers are understood as they are said", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9][0-9]{7,14}$/), (digits) => {
      const value = { digits, isInternational: true, extension: null };
      expect(findPhoneNumber(phoneWords(`+${digits}`) ?? "")).toMatchObject({ value });
    }),
    { numRuns: 500, seed: 7 },
  );
});
