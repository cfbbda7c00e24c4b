import fc from "fast-check";
import { expect, test } from "vitest";
import { findSpelling } from "./find-spelling.ts";

test.each([
  ["s m i t h", "SMITH"],
  ["S-M-I-T-H", "SMITH"],
  ["alpha bravo charlie", "ABC"],
  ["b as in bravo, o, b for boy", "BOB"],
  ["m a double t", "MATT"],
  ["x ray one two", "X12"],
  ["capital j o e", "JOE"],
  ["o apostrophe n e i l", "O'NEIL"],
  ["bee oh bee", "BOB"],
  ["a b c 1 2 3", "ABC123"],
  ["b as in boy", "B"],
])("%j spells %s", (text, value) => {
  expect(findSpelling(text)).toEqual({ value, others: [], start: 0, end: text.length });
});

test("the name that is said before it is spelled is not part of the spelling", () => {
  const text = "My name is Smith, S M I T H.";
  const found = findSpelling(text);
  expect(text.slice(found?.start, found?.end)).toBe("S M I T H");
});

test.each([
  ["b as in victor", "V", ["B"]],
  ["double you a y n e", "WAYNE", ["UUAYNE"]],
])("%j may be taken in two ways", (text, value, others) => {
  expect(findSpelling(text)).toMatchObject({ value, others });
});

test.each(["see you", "i am a man", "why are you", "a", "one two three", ""])("nothing is spelled in %j", (text) => {
  expect(findSpelling(text)).toBeNull();
});

test("any word that is spelled letter by letter is understood", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z]{3,12}$/), (word) => {
      const doubtful = Array.from(word).filter((letter) => letter === "A" || letter === "I").length;
      fc.pre(2 * doubtful <= word.length);
      expect(findSpelling(Array.from(word).join(" "))?.value).toBe(word);
    }),
    { numRuns: 500, seed: 7 },
  );
});
