import { describe, expect, test } from "vitest";
import { coverText, joinableTexts, joinClips } from "./cover-text.ts";

const rendered = new Set([
  ...joinableTexts(),
  ...["I have noted", "instead.", "So we come on", "Hello Ada.", "Did you mean", "or", "Will you come,", "or cancel?"],
]);
const cover = (text: string) => coverText(text, (piece) => rendered.has(piece))?.map((piece) => piece.text) ?? null;

describe("a text is said with the clips there are", () => {
  test.each<[string, readonly string[]]>([
    ["Hello Ada.", ["Hello Ada."]],
    [" Hello  Ada. ", ["Hello Ada."]],
    ["I have noted Thursday, March fifth instead.", ["I have noted", "Thursday", "March", "fifth", "instead."]],
    ["So we come on Wednesday,", ["So we come on", "Wednesday."]],
    ["March fifth.", ["March", "fifth."]],
    [
      "Thursday, the twenty-first of May at ten thirty A M.",
      ["Thursday", "the", "twenty", "first", "of", "May", "at", "ten", "thirty", "A M."],
    ],
    [
      "Did you mean Tuesday, March third, or Tuesday, March tenth?",
      ["Did you mean", "Tuesday", "March", "third", "or", "Tuesday", "March", "tenth."],
    ],
    ["Three.", ["three."]],
    ["nine oh five P M", ["nine", "oh", "five", "P M."]],
    ["Will you come, or cancel?", ["Will you come,", "or cancel?"]],
    ["twenty twenty-seven.", ["twenty", "twenty", "seven."]],
  ])("%s", (text, pieces) => {
    expect(cover(text)).toEqual(pieces);
  });
});

test.each(["I have noted Ada.", "Hello", "Thursday tomorrow", "", "..."])("%j cannot be said", (text) => {
  expect(cover(text)).toBeNull();
});

test("no word is rendered twice for the same place", () => {
  expect(new Set(joinableTexts()).size).toBe(joinableTexts().length);
});

test("clips are joined with the gaps that were asked for, and keep their silence at the ends alone", () => {
  const clip = (value: number) => {
    const samples = new Int16Array(240 + 800 + 640);
    samples.fill(value, 240, 1_040);
    return samples;
  };
  const joined = joinClips(
    [
      { samples: clip(1), gapMs: 30 },
      { samples: clip(2), gapMs: 100 },
      { samples: clip(3), gapMs: 999 },
    ],
    8_000,
  );
  const runs: [number, number][] = [];
  for (const value of joined) {
    const last = runs.at(-1);
    if (last?.[0] === value) last[1] += 1;
    else runs.push([value, 1]);
  }
  expect(runs).toEqual([
    [0, 240],
    [1, 800],
    [0, 240],
    [2, 800],
    [0, 800],
    [3, 800],
    [0, 640],
  ]);
});
