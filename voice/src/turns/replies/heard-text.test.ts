import { describe, expect, it } from "vitest";
import { heardUntilMs, hearText, type PlayedClause } from "./heard-text.ts";

/** Ten letters and a gap each: by proportion every word takes the same time. */
const TEXT = "abcdefghij klmnopqrst uvwxyzabcd";

function clause(changes: Partial<PlayedClause> = {}): PlayedClause {
  return { text: TEXT, stretches: [{ startMs: 1_000, durationMs: 900 }], durationMs: 900, wordTimes: null, ...changes };
}

describe("what the callee heard", () => {
  it("is all of it when it was not cut off", () => {
    const heard = hearText(
      [clause(), clause({ text: "And more.", stretches: [{ startMs: 1_900, durationMs: 400 }] })],
      null,
    );
    expect(heard.heardText).toBe(`${TEXT} And more.`);
    expect(heard).toMatchObject({ startMs: 1_000, endMs: 2_300 });
  });

  it("is nothing before the first audio arrived", () => {
    const heard = hearText([clause()], 990);
    expect(heard).toMatchObject({ text: TEXT, heardText: "", words: [], startMs: null, endMs: null });
  });

  it("ends with the last word of which half was heard", () => {
    expect(hearText([clause()], 1_000 + 440).heardText).toBe("abcdefghij");
    expect(hearText([clause()], 1_000 + 460).heardText).toBe("abcdefghij klmnopqrst");
  });

  it("uses the word times if the voice provides them", () => {
    const wordTimes = [
      { startMs: 0, endMs: 100 },
      { startMs: 100, endMs: 200 },
      { startMs: 200, endMs: 900 },
    ];
    const heard = hearText([clause({ wordTimes })], 1_000 + 250);
    expect(heard.heardText).toBe("abcdefghij klmnopqrst");
    expect(heard.words[1]).toEqual({ text: "klmnopqrst", startMs: 1_100, endMs: 1_200 });
  });

  it("estimates only the words whose times are not known yet, after the last known one", () => {
    const wordTimes = [{ startMs: 0, endMs: 300 }];
    const cutAt = (ms: number, durationMs: number | null) =>
      hearText([clause({ wordTimes, durationMs })], 1_000 + ms).heardText;
    // The remaining 600 ms are shared by two words of equal length.
    expect(cutAt(449, 900)).toBe("abcdefghij");
    expect(cutAt(450, 900)).toBe("abcdefghij klmnopqrst");
    expect(cutAt(749, 900)).toBe("abcdefghij klmnopqrst");
    expect(cutAt(750, 900)).toBe(TEXT);
    // More audio is still to come, so the rest takes longer: 21 letters at the assumed rate.
    expect(cutAt(666, null)).toBe("abcdefghij");
    expect(cutAt(668, null)).toBe("abcdefghij klmnopqrst");
  });

  it("ignores times that cannot be those of its words", () => {
    const wordTimes = Array.from({ length: 4 }, (_, index) => ({ startMs: index, endMs: index + 1 }));
    expect(hearText([clause({ wordTimes })], 1_000 + 200).heardText).toBe("abcdefghij");
  });

  it("separates what was not spoken", () => {
    const unspoken = clause({ text: "Nobody heard this.", stretches: [], durationMs: 900 });
    const heard = hearText([clause(), unspoken], 1_850);
    expect(heard.heardText).toBe(TEXT);
    expect(heard.text).toBe(`${TEXT} Nobody heard this.`);
  });

  it("does not count the gaps in which nothing was played", () => {
    const stretches = [
      { startMs: 1_000, durationMs: 300 },
      { startMs: 2_000, durationMs: 600 },
    ];
    const heard = hearText([clause({ stretches })], 2_290);
    expect(heard.heardText).toBe("abcdefghij klmnopqrst");
    expect(heard.words[1]).toEqual({ text: "klmnopqrst", startMs: 1_300, endMs: 2_290 });
  });

  it("estimates the length of a clause that is not fully rendered", () => {
    // Two words of ten letters at 70 ms each: the first is heard, the second is not.
    const half = clause({
      text: "abcdefghij klmnopqrst",
      durationMs: null,
      stretches: [{ startMs: 0, durationMs: 800 }],
    });
    expect(hearText([half], 800).heardText).toBe("abcdefghij");
  });
});

describe("the last moment that has reached the callee", () => {
  it("is half a round trip and 80 ms before the position that went out", () => {
    expect(heardUntilMs(5_000, 120, 80)).toBe(4_860);
  });

  it("is 80 ms before it where the round trip is not known", () => {
    expect(heardUntilMs(5_000, null, 80)).toBe(4_920);
  });
});
