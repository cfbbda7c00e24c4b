import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { expect, test } from "vitest";
import { isHeldOut, readEntries } from "./held-out-words.ts";
import { judgePronunciations } from "./judge-pronunciations.ts";

/** Every word of the dictionary that the table was not made from, and that begins like none it was made from. */
const held = Map.groupBy(
  readEntries().filter(({ word }) => isHeldOut(word)),
  ({ word }) => word,
);

test("the shipped table pronounces words that it has never seen: every tenth of them", {
  timeout: 240_000,
}, async () => {
  const sample = [...held.values()].filter((_, index) => index % 10 === 0);
  const judged = judgePronunciations(await LetterModel.open(), sample.flat());
  expect(judged.words).toBe(359);
  // Of all of them it is 52.0 and 59.7.
  expect(judged.right).toBeGreaterThan(47);
  expect(judged.rightWithoutStress).toBeGreaterThan(53);
  expect(judged.phoneErrors).toBeLessThan(16);
});

test("a pronunciation counts as right if any that the dictionary lists is the same", () => {
  const entries = [
    { word: "read", phones: ["R", "EH1", "D"] },
    { word: "read", phones: ["R", "IY1", "D"] },
    { word: "tea", phones: ["T", "IY1"] },
  ];
  const judged = judgePronunciations({ pronounce: (word) => (word === "read" ? "R IY1 D" : "T IY0") }, entries);
  expect(judged).toMatchObject({ words: 2, right: 50, rightWithoutStress: 100, phoneErrors: 20 });
});
