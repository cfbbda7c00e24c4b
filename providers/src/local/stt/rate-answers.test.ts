import { expect, test } from "vitest";
import { rateAnswers } from "./rate-answers.ts";

test("what the model wrote by itself is believed, short or long", () => {
  for (const answer of ["no", "please call me back tomorrow afternoon"]) {
    const best = rateAnswers([{ answer, logRatio: 0, letters: answer.length }]);
    expect(best).toMatchObject({ answer });
    expect(best?.score).toBeGreaterThan(0.95);
    expect(best?.margin).toBe(best?.score);
  }
});

test("a long answer may be less likely than a short one and still be believed", () => {
  const scoreAt = (letters: number) => rateAnswers([{ answer: "", logRatio: -8, letters }])?.score ?? 0;
  expect(scoreAt(3)).toBeLessThan(0.2);
  expect(scoreAt(30)).toBeGreaterThan(0.8);
});

test("an answer is ahead of the second by as much as that one is less likely", () => {
  const marginOf = (secondRatio: number) =>
    rateAnswers([
      { answer: "sixty", logRatio: 0, letters: 5 },
      { answer: "sixteen", logRatio: secondRatio, letters: 7 },
    ])?.margin ?? 0;
  expect(marginOf(0)).toBe(0);
  expect(marginOf(-0.05)).toBeLessThan(0.1);
  expect(marginOf(-1)).toBeGreaterThan(0.5);
});

test("where no answer had a chance there is no best one", () => {
  expect(rateAnswers([])).toBeNull();
});
