import { expect, test } from "vitest";
import { describeCause } from "./alert-text.ts";

test.each([
  [
    { type: "answer_rate", percent: 33.3, calls: 12, hours: 2, belowPercent: 50 },
    "33.3% of 12 calls in 2 hours; threshold 50%",
  ],
  [{ type: "incidents", incidents: 3, hours: 1, atLeast: 3 }, "3 in one hour; threshold 3"],
  [{ type: "credit_low", balance: "0.42", creditLowAt: "1.00" }, "$0.42 left; threshold $1.00"],
] as const)("%o", (cause, text) => expect(describeCause(cause)).toBe(text));
