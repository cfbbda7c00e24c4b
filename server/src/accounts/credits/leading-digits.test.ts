import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortenPrefixes } from "./change-rates.ts";
import { compileLeadingDigits } from "./leading-digits.ts";

describe("the digits that numbers of a pattern begin with", () => {
  it.each([
    ["7\\d{9}", ["", "7", "71", "7999999999"], ["8", "70000000000"]],
    ["1534[0-24-8]\\d{5}", ["15", "15340", "15348"], ["15343", "15349", "2"]],
    ["(?:50|8[2-4])9\\d?", ["509", "8", "849", "8490"], ["819", "59", "50900"]],
    ["[24]\\d{2,3}", ["2", "4123"], ["3", "41234"]],
  ])("are determined for %s", (pattern, possible, impossible) => {
    const mayBegin = compileLeadingDigits(pattern);
    expect(possible.filter((digits) => !mayBegin(digits))).toEqual([]);
    expect(impossible.filter(mayBegin)).toEqual([]);
  });

  it("agree with the expression itself on whole numbers", () => {
    const pattern = "(?:1(?:0[2-4]|[5-7]\\d)|2[0-3]{2}|9\\d?)\\d{2}";
    const mayBegin = compileLeadingDigits(pattern);
    const whole = new RegExp(`^(?:${pattern})$`);
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{3,5}$/), (digits) => !whole.test(digits) || mayBegin(digits)),
      { numRuns: 2000 },
    );
  });

  it("reject anything but a pattern of digits", () => {
    for (const pattern of ["1a", "(12", "[1", "1)"]) expect(() => compileLeadingDigits(pattern)).toThrow();
  });
});

describe("shortening prefixes", () => {
  const digits = fc.stringMatching(/^[0-3]{2,3}$/);
  const entries = fc.dictionary(digits, fc.constantFrom("a", "b", "c"), { minKeys: 1, maxKeys: 30 });
  const lookUp = (prefixes: ReadonlyMap<string, string>, text: string): string | undefined => {
    for (let length = text.length; length >= 0; length -= 1) {
      const found = prefixes.get(text.slice(0, length));
      if (found !== undefined) return found;
    }
    return undefined;
  };

  it("changes the value of no entry and never needs more of them", () => {
    fc.assert(
      fc.property(entries, (given) => {
        // Of entries inside each other the outer one would hide the inner.
        const apart = new Map(
          Object.entries(given).filter(([text]) => !Object.keys(given).some((o) => o !== text && text.startsWith(o))),
        );
        const short = new Map(shortenPrefixes(apart, (value) => value));
        for (const [text, value] of apart) expect(lookUp(short, `${text}77`)).toBe(value);
        expect(short.size).toBeLessThanOrEqual(apart.size + 1);
        expect(short.has("")).toBe(true);
      }),
    );
  });
});
