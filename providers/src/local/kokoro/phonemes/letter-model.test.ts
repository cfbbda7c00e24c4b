import { beforeAll, describe, expect, test } from "vitest";
import { isVowel } from "./arpabet.ts";
import { EDGE_UNIT, hashOf, LetterModel, toSteps } from "./letter-model.ts";

let model: LetterModel;
beforeAll(async () => {
  model = await LetterModel.open();
});

describe("a word that is in no dictionary is pronounced as its letters suggest", () => {
  test.each([
    ["hallberry", "HH AO1 L B EH2 R IY0"],
    ["zorbtronic", "Z AO1 R B T R AA2 N IH0 K"],
    ["lakshmi", "L AE1 K SH M IY0"],
    ["bjornsson", "B Y AO1 R N S AH0 N"],
    ["eszter", "EH1 S T ER0"],
  ])("%s", (word, phones) => {
    expect(model.pronounce(word)).toBe(phones);
  });
});

test("every word has one main stress, whatever its letters", () => {
  for (const word of ["a", "bcd", "xqz", "oluwaseun", "balasubramanian", "krzysztofowicz", "zzzz", "aeiou"]) {
    const phones = model.pronounce(word)?.split(" ") ?? [];
    expect(phones.length, word).toBeGreaterThan(0);
    expect(phones.filter((phone) => phone.endsWith("1")).length, word).toBe(phones.some(isVowel) ? 1 : 0);
  }
});

test("what is not made of letters is left to others", () => {
  for (const word of ["", "r2d2", "naïve", "x".repeat(41)]) expect(model.pronounce(word)).toBeNull();
});

test("the likeliest chain wins, and what was never seen together is reached by shorter histories", () => {
  const units = [
    { letters: "", phones: "" },
    { letters: "a", phones: "AE1" },
    { letters: "a", phones: "EY1" },
    { letters: "b", phones: "B" },
  ];
  const rows = [
    { ids: [1], bits: 3 },
    { ids: [2], bits: 1 },
    { ids: [3], bits: 1 },
    { ids: [EDGE_UNIT], bits: 1 },
    { ids: [EDGE_UNIT, 1, 3], bits: 0.5 },
    { ids: [EDGE_UNIT, 1], bits: 0.5 },
    { ids: [EDGE_UNIT, 2], bits: 4 },
  ].map(({ ids, bits }) => ({ key: hashOf(ids), cost: toSteps(bits) }));
  rows.sort((a, b) => a.key - b.key);
  const small = new LetterModel({
    units,
    keys: Uint32Array.from(rows, ({ key }) => key),
    costs: Uint8Array.from(rows, ({ cost }) => cost),
    backOffs: new Uint8Array(rows.length),
  });
  expect(small.pronounce("ab")).toBe("AE1 B");
  expect(small.pronounce("ba")).toBe("B EY1");
});
