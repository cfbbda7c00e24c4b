import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { expect, test } from "vitest";
import { isHeldOut, readEntries } from "./held-out-words.ts";
import { judgePronunciations } from "./judge-pronunciations.ts";

test("the shipped table pronounces as many words that it has never seen right as its data card says", {
  timeout: 600_000,
}, async () => {
  const judged = judgePronunciations(
    await LetterModel.open(),
    readEntries().filter(({ word }) => isHeldOut(word)),
  );
  expect(judged.words).toBe(3_582);
  expect(judged.right).toBeGreaterThan(51.9);
  expect(judged.rightWithoutStress).toBeGreaterThan(59.6);
  expect(judged.phoneErrors).toBeLessThan(14.7);
});
