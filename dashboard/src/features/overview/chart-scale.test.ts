import { expect, test } from "vitest";
import { dotPath, hasValues, linePath, roundUp } from "./chart-scale.ts";

test.each([
  [0, 1],
  [1, 1],
  [3, 3],
  [3.1, 4],
  [17, 20],
  [21, 25],
  [99, 100],
  [101, 150],
  [0.013, 0.015],
  [Number.NaN, 1],
])("a scale for %d ends at %d", (value, top) => expect(roundUp(value)).toBe(top));

test("a scale never ends below what it shows", () => {
  for (let value = 0.001; value < 1e6; value *= 1.37) expect(roundUp(value)).toBeGreaterThanOrEqual(value * 0.999_999);
});

test("a line is interrupted if nothing was measured, and never drawn as zero there", () => {
  expect(linePath([1, null, 1, 2], 40, 10, 2)).toBe("M5.00 5.00M25.00 5.00L35.00 0.00");
  expect(linePath([null, null], 40, 10, 2)).toBe("");
});

test("an isolated value is a dot, and no other is", () => {
  expect(dotPath([1, null, 1, 2], 40, 10, 2)).toBe("M5.00 5.00h0");
  expect(dotPath([null, 1], 40, 10, 2)).toBe("M30.00 5.00h0");
});

test("a chart of nothing but zeros and gaps has nothing to show", () => {
  expect(hasValues([{ values: [0, null, 0] }])).toBe(false);
  expect(hasValues([{ values: [0] }, { values: [null, 0.5] }])).toBe(true);
});
