import { expect, test } from "vitest";
import { type AnswerNode, growAnswerTree, lettersIn } from "./answer-tree.ts";
import { textOfTokens } from "./tokens-of-text.ts";

/** Every text that the tree can write, and the answers it stands for. */
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

test("an answer that is asked for twice counts once", () => {
  const texts = new Map(textsOf(growAnswerTree(["no", "no"])));
  expect(texts.get("No.")).toEqual(["no"]);
});

test("two answers that are written alike share their end", () => {
  const texts = new Map(textsOf(growAnswerTree(["No", "no"])));
  expect(texts.get("No.")).toEqual(["No", "no"]);
});

test("a branch knows the longest answer that may come of it", () => {
  const tree = growAnswerTree(["no", "nobody else lives here"]);
  expect(Math.max(...[...tree.next.values()].map(({ lettersMax }) => lettersMax))).toBe(
    lettersIn("nobody else lives here"),
  );
});

test("no answers make a tree without branches", () => {
  expect(growAnswerTree([]).next.size).toBe(0);
});
