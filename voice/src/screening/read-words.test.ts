import { describe, expect, it } from "vitest";
import { weighEvidence } from "./evidence.ts";
import { addWords, readWords, type ScreenedText } from "./read-words.ts";
import { USUAL_SCREENING_SETTINGS } from "./screening-settings.ts";

const NONE: readonly ScreenedText[] = [];

function scoresOf(...said: readonly [text: string, startMs: number, endMs: number][]) {
  const texts = said.reduce((known, [text, startMs, endMs]) => addWords(known, { text, startMs, endMs }), NONE);
  return weighEvidence(readWords(texts, USUAL_SCREENING_SETTINGS)).scores;
}

describe("what words indicate", () => {
  it("a phrase that is split by a pause is still found", () => {
    expect(scoresOf(["please leave a", 0, 800], ["message", 1_500, 2_000]).voicemail).toBe(3);
  });

  it("a phrase is not assembled from what was said at different times", () => {
    expect(scoresOf(["please leave a", 0, 800], ["message", 9_000, 9_500]).voicemail).toBe(0);
  });

  it("no word counts twice for the same party, and a phrase that is repeated counts once", () => {
    expect(scoresOf(["this is the voicemail of Ann", 0, 900]).voicemail).toBe(3);
    expect(scoresOf(["leave a message leave a message", 0, 900]).voicemail).toBe(3);
  });

  it("what people say about messages and keys indicates no machine", () => {
    for (const text of [
      "Would you like to leave a message?",
      "I got your voicemail.",
      "Do I press one now?",
      "Is this a recording?",
      "You can leave your number with me.",
    ]) {
      const { human, voicemail, ivr, screening, announcement } = scoresOf([text, 0, 900]);
      expect({ text, voicemail, ivr, screening, announcement }).toEqual({
        text,
        voicemail: 0,
        ivr: 0,
        screening: 0,
        announcement: 0,
      });
      expect(human).toBeGreaterThanOrEqual(3);
    }
  });

  it("a bare hello indicates more than other words that no machine uses", () => {
    expect(scoresOf(["Hello?", 0, 500]).human).toBe(1);
    expect(scoresOf(["Miller residence.", 0, 900]).human).toBe(0.5);
  });

  it("later words for the same audio replace earlier ones", () => {
    expect(scoresOf(["leave a message", 0, 900], ["we live in a village", 0, 1_400]).voicemail).toBe(0);
  });
});
