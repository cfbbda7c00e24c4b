import fc from "fast-check";
import { expect, test } from "vitest";
import { moneyWords } from "../to-speech/money.ts";
import { findMoney, type SpokenCurrency } from "./find-money.ts";

test.each([
  ["twelve dollars and fifty cents", "USD", 1_250],
  ["twelve dollars fifty", "USD", 1_250],
  ["a dollar fifty", "USD", 150],
  ["fifty cents", "USD", 50],
  ["five bucks", "USD", 500],
  ["twenty grand", "USD", 2_000_000],
  ["a hundred and twenty dollars", "USD", 12_000],
  ["two and a half dollars", "USD", 250],
  ["$12.50", "USD", 1_250],
  ["$1.5 million", "USD", 150_000_000],
  ["1 dollar 5 cents", "USD", 105],
  ["1,200 euros", "EUR", 120_000],
  ["€7.10", "EUR", 710],
  ["two pounds fifty", "GBP", 250],
  ["three quid", "GBP", 300],
  ["ten pence", "GBP", 10],
])("%j is an amount", (text, currency, minorUnits) => {
  expect(findMoney(text)).toEqual({ value: { currency, minorUnits }, others: [], start: 0, end: text.length });
});

test("two more after the dollars are no cents", () => {
  expect(findMoney("five dollars and two more")).toMatchObject({ value: { minorUnits: 500 }, end: 12 });
});

test("a bare number is an amount only where a currency is meant", () => {
  expect(findMoney("seven")).toBeNull();
  expect(findMoney("seven", { currency: "EUR" })).toMatchObject({ value: { currency: "EUR", minorUnits: 700 } });
});

test.each([
  ["twelve fifty", 1_250, 125_000],
  ["one fifty", 150, 15_000],
  ["twelve fifty dollars", 125_000, 1_250],
])("%j may be %d cents or %d", (text, minorUnits, other) => {
  expect(findMoney(text, { currency: "USD" })).toMatchObject({
    value: { currency: "USD", minorUnits },
    others: [{ currency: "USD", minorUnits: other }],
  });
});

test("amounts are understood as they are said", () => {
  const currencies = fc.constantFrom<SpokenCurrency>("USD", "EUR", "GBP");
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 9 }), currencies, (minorUnits, currency) => {
      const text = moneyWords(minorUnits, currency);
      expect(findMoney(text, { currency })?.value, text).toEqual({ currency, minorUnits });
    }),
    { numRuns: 2_000, seed: 7 },
  );
});
