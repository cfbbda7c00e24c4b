import type { AlertRules } from "@parley/contract/alerts";
import { expect, test } from "vitest";
import { describeCause, mistakesIn, toChanges, toForm } from "./alerts-page.tsx";

test.each([
  [
    { type: "answer_rate", percent: 33.3, calls: 12, hours: 2, belowPercent: 50 },
    "33.3% of 12 calls in 2 hours; threshold 50%",
  ],
  [{ type: "incidents", incidents: 3, hours: 1, atLeast: 3 }, "3 in one hour; threshold 3"],
  [{ type: "credit_low", balance: "0.42", creditLowAt: "1.00" }, "$0.42 left; threshold $1.00"],
] as const)("%o", (cause, text) => expect(describeCause(cause)).toBe(text));

const OFF: AlertRules = {
  ...{ mode: "live", answerRate: null, incidents: null, creditLow: false, quietMinutes: 60, emailOwners: true },
};

test("what is read and not changed is saved as it was", () => {
  const on: AlertRules = {
    ...{ ...OFF, answerRate: { belowPercent: 35, hours: 4, callsMin: 50 }, incidents: { atLeast: 2, hours: 24 } },
    ...{ creditLow: true, quietMinutes: 0, emailOwners: false },
  };
  for (const { mode, ...rules } of [OFF, on]) expect(toChanges(toForm({ mode, ...rules }))).toEqual(rules);
});

test("a rule that is turned on has proposed numbers", () => {
  expect(toChanges({ ...toForm(OFF), watchesAnswerRate: true, watchesIncidents: true })).toMatchObject({
    answerRate: { belowPercent: 40, hours: 2, callsMin: 20 },
    incidents: { atLeast: 5, hours: 1 },
  });
});

test.each(["", "0", "101", "4.5", "1e1", "-3", "many"])("%j percent is a mistake, unless the rule is off", (typed) => {
  const form = { ...toForm(OFF), belowPercent: typed };
  expect(mistakesIn({ ...form, watchesAnswerRate: true })).toEqual({
    belowPercent: "Enter a whole number from 1 to 100.",
  });
  expect(mistakesIn(form)).toEqual({});
});

test("every number has its own mistake", () => {
  const form = { ...toForm(OFF), watchesAnswerRate: true, watchesIncidents: true };
  const wrong = { belowPercent: "x", rateHours: "169", callsMin: "0", atLeast: "", incidentHours: "0" };
  expect(Object.keys(mistakesIn({ ...form, ...wrong, quietMinutes: "10081" })).toSorted()).toEqual(
    [...Object.keys(wrong), "quietMinutes"].toSorted(),
  );
});
