import { expect, test } from "vitest";
import { formatCount, locale } from "./language.ts";

test.each([0, 7, 999, -12, 1_000, -1_234, 100_000, 12_345_678, 2.5])(
  "%d is written as the browser writes it",
  (value) => {
    expect(formatCount(value)).toBe(new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(value));
  },
);
