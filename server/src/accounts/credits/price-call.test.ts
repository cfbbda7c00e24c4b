import fc from "fast-check";
import { expect, test } from "vitest";
import { priceCall, secondsPaidFor } from "./price-call.ts";

const prices = fc.record({
  routePerMinuteMicros: fc.bigInt({ min: 0n, max: 5_000_000n }),
  enginePerMinuteMicros: fc.bigInt({ min: 0n, max: 5_000_000n }),
  bridge: fc.option(
    fc.record({
      perMinuteMicros: fc.bigInt({ min: 0n, max: 5_000_000n }),
      afterSeconds: fc.integer({ min: 0, max: 3600 }),
    }),
  ),
});

test("a minute costs what the minute's price says, and a second a sixtieth, rounded up", () => {
  const flat = { routePerMinuteMicros: 20_000n, enginePerMinuteMicros: 10_000n };
  expect(priceCall(flat, 60).totalMicros).toBe(30_000n);
  expect(priceCall(flat, 1).lines.map(({ micros }) => micros)).toEqual([334n, 167n]);
  expect(priceCall(flat, 1).totalMicros).toBe(501n);
  expect(priceCall(flat, 0).totalMicros).toBe(0n);
});

test("a transferred call pays for both legs from then on, and for no engine", () => {
  const bridge = { perMinuteMicros: 60_000n, afterSeconds: 30 };
  const priced = priceCall({ routePerMinuteMicros: 20_000n, enginePerMinuteMicros: 10_000n, bridge }, 90);
  expect(priced.lines.map(({ item, seconds, micros }) => [item, seconds, micros])).toEqual([
    ["route", 90, 30_000n],
    ["engine", 30, 5_000n],
    ["transfer", 60, 60_000n],
  ]);
  expect(priced.totalMicros).toBe(95_000n);
});

test("the time that an amount pays for never costs more than the amount, and one second more would", () => {
  fc.assert(
    fc.property(
      prices,
      fc.bigInt({ min: 0n, max: 50_000_000n }),
      fc.integer({ min: 0, max: 7200 }),
      (price, micros, secondsMax) => {
        const seconds = secondsPaidFor(price, micros, secondsMax);
        expect(priceCall(price, seconds).totalMicros <= micros || seconds === 0).toBe(true);
        if (seconds < secondsMax) expect(priceCall(price, seconds + 1).totalMicros > micros).toBe(true);
      },
    ),
  );
});
