import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { WordPieces } from "./word-pieces.ts";

const pieces = new WordPieces(readFileSync(new URL("./weights/vocabulary.txt", import.meta.url), "utf8"));

/** The output of tools/train-judge/pieces.py for the same texts. */
const TRAINED: readonly (readonly [text: string, ids: readonly number[]])[] = [
  ["Yes, I'll be there on Tuesday.", [828, 15, 50, 10, 302, 102, 125, 86, 7931, 17]],
  ["I\u2019d rather not\u2026 reschedule it", [50, 10, 45, 818, 105, 17, 18782, 5767, 7381, 89]],
  ["\ufb01ne, 50% off: n\u00e9 \u{1f389} ok", [1066, 15, 833, 8, 205, 29, 9336, 1, 6005]],
  ["antidisestablishmentarianism", [1503, 8593, 2434, 5951, 11669, 1751, 10267, 1044]],
  ["a_b na\u00efve caf\u00e9 \u20ac5", [42, 40, 43, 13799, 5745, 75, 24]],
  ["  ", []],
];

test("text is split as it was for training", () => {
  for (const [text, ids] of TRAINED) expect(pieces.encode(text), text).toEqual(ids);
});

test("case and the shape of an apostrophe make no difference", () => {
  expect(pieces.encode("I\u2019M COMING")).toEqual(pieces.encode("i'm coming"));
});
