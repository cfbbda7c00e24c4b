import { expect, test } from "vitest";
import { layOut } from "./lay-out.ts";
import { WordPieces } from "./word-pieces.ts";

const pieces = new WordPieces([
  ...["?", "<s>", "</s>", "1", "2", "3"].map((piece) => [piece, 0] as const),
  ...["\u2581a", "\u2581b", "\u2581c", "\u2581d", "\u2581e"].map((piece) => [piece, -1] as const),
]);
const [A, B, C, D, E] = [6, 7, 8, 9, 10] as const;

function layOutOf(question: string, said: string, ...exits: readonly (readonly string[])[]) {
  return layOut(pieces, {
    question,
    said,
    answerKind: "choice",
    exits: exits.map(([when = "", ...phrases]) => ({ when, phrases })),
  });
}

test("every exit gets its first phrase before any gets its second", () => {
  expect(layOutOf("a b", "c", ["d", "e"], ["a", "b"])).toEqual([
    { kind: "question", slot: 0, ids: [A, B] },
    { kind: "said", slot: 0, ids: [C] },
    { kind: "exit", slot: 1, ids: [D] },
    { kind: "exit", slot: 2, ids: [A] },
    { kind: "exit", slot: 1, ids: [E] },
    { kind: "exit", slot: 2, ids: [B] },
  ]);
});

test("a long question keeps its end, a long answer its beginning, and phrases are added only while there is room", () => {
  const many = (word: string, count: number) => Array.from({ length: count }, () => word).join(" ");
  const blocks = layOutOf(
    `${many("a", 60)} b`,
    `c ${many("d", 60)}`,
    [many("e", 10), many("e", 12), many("a", 8)],
    ["b"],
  );
  expect(blocks[0]?.ids).toHaveLength(40);
  expect(blocks[0]?.ids.at(-1)).toBe(B);
  expect(blocks[1]?.ids).toHaveLength(48);
  expect(blocks[1]?.ids[0]).toBe(C);
  // 24 tokens are left: 10 and 1 for the names of the exits, 12 for a phrase, and no room for the next.
  expect(blocks.slice(2).map(({ slot, ids }) => [slot, ids.length])).toEqual([
    [1, 10],
    [2, 1],
    [1, 12],
  ]);
});

test("texts without words are left out", () => {
  expect(layOutOf("a", " ", ["b", ""])).toEqual([
    { kind: "question", slot: 0, ids: [A] },
    { kind: "exit", slot: 1, ids: [B] },
  ]);
});
