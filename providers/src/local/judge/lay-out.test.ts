import { expect, test } from "vitest";
import { layOutExits, layOutProbes, layOutQuestion, layOutSaid, type Token } from "./lay-out.ts";
import { WordPieces } from "./word-pieces.ts";

const [START, END] = [2, 3] as const;
const VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "d", "e", ";"];
const pieces = new WordPieces(VOCABULARY.join("\n"));
const [A, B, C, D, E, MARK] = [4, 5, 6, 7, 8, 9] as const;

const exits = (...texts: readonly (readonly string[])[]) =>
  layOutExits(
    pieces,
    texts.map(([when = "", ...phrases]) => ({ when, phrases })),
  );
const piecesOf = (tokens: readonly Token[], slot = 0) =>
  tokens.filter((token) => token.slot === slot).map(({ piece }) => piece);
const many = (word: string, count: number) => Array.from({ length: count }, () => word).join(" ");

test("every text has a start, an end and its own positions", () => {
  expect(layOutSaid(pieces, "a b")).toEqual([
    { piece: START, position: 0, kind: "said", slot: 0 },
    { piece: A, position: 1, kind: "said", slot: 0 },
    { piece: B, position: 2, kind: "said", slot: 0 },
    { piece: END, position: 3, kind: "said", slot: 0 },
  ]);
});

test("every exit gets its first phrase before any gets its second", () => {
  const tokens = exits(["d", "e"], ["a", "b", "c"]);
  expect(piecesOf(tokens, 1)).toEqual([START, D, MARK, E, END]);
  expect(piecesOf(tokens, 2)).toEqual([START, A, MARK, B, MARK, C, END]);
  // 76 tokens are left: 12 and 1 for the names, 13 for each phrase, and no room for the fifth.
  const full = exits([many("e", 12), ...Array.from({ length: 8 }, () => many("e", 12))], ["b"]);
  expect(piecesOf(full, 1)).toHaveLength(2 + 12 + 3 * 13);
  expect(piecesOf(full, 2)).toEqual([START, B, END]);
});

test("a long question keeps its end, and a long answer its beginning", () => {
  const question = layOutQuestion(pieces, `${many("a", 60)} b`) ?? [];
  expect(question).toHaveLength(42);
  expect(question.at(-2)?.piece).toBe(B);
  const said = layOutSaid(pieces, `c ${many("d", 60)}`);
  expect(said).toHaveLength(50);
  expect(said[1]?.piece).toBe(C);
});

test("a question without words is none", () => {
  expect(layOutQuestion(pieces, " ")).toBeNull();
});

test("there is a probe for no answer, and one for each exit with the beginning of its name", () => {
  const probes = layOutProbes(pieces, [
    { when: "a b", phrases: ["c"] },
    { when: many("d", 9), phrases: [] },
  ]);
  expect(probes.every(({ kind }) => kind === "probe")).toBe(true);
  expect(piecesOf(probes, 0)).toEqual([START]);
  expect(piecesOf(probes, 1)).toEqual([START, A, B]);
  expect(piecesOf(probes, 2)).toEqual([START, D, D, D, D, D, D]);
});
