import { expect, test } from "vitest";
import { textOfTokens } from "./decode.ts";
import { type AnswerNode, growAnswerTree, lettersIn, rateAnswers } from "./expected-answers.ts";

/** Every text that the tree can produce, and the answers it stands for. */
function textsOf(node: AnswerNode, tokens: readonly number[] = []): readonly (readonly [string, readonly string[]])[] {
  const own = node.ending.length === 0 ? [] : [[textOfTokens(tokens), node.ending] as const];
  return [...own, ...[...node.next.values()].flatMap((child) => textsOf(child, [...tokens, child.token]))];
}

test("every form of every answer is in the tree once, and leads to its answer", () => {
  const texts = new Map(textsOf(growAnswerTree(["five", "yes please"])));
  expect(texts.get("Five.")).toEqual(["five"]);
  expect(texts.get("5")).toEqual(["five"]);
  expect(texts.get("Yes please.")).toEqual(["yes please"]);
  expect(texts.has("Yes")).toBe(false);
});

test("an answer that is expected twice counts once", () => {
  const texts = new Map(textsOf(growAnswerTree(["no", "no"])));
  expect(texts.get("No.")).toEqual(["no"]);
});

test("two answers with the same written form share their end", () => {
  const texts = new Map(textsOf(growAnswerTree(["No", "no"])));
  expect(texts.get("No.")).toEqual(["No", "no"]);
});

test("a branch knows the longest answer that may come of it", () => {
  const tree = growAnswerTree(["no", "nobody else lives here"]);
  expect(Math.max(...[...tree.next.values()].map(({ lettersMax }) => lettersMax))).toBe(
    lettersIn("nobody else lives here"),
  );
});

test("no answers result in a tree without branches", () => {
  expect(growAnswerTree([]).next.size).toBe(0);
});

test("the model's own text is believed, short or long", () => {
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

test("if no answer had a chance there is no best one", () => {
  expect(rateAnswers([])).toBeNull();
});
