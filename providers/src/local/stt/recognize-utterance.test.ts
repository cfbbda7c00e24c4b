import { samplesIn } from "@parley/audio/frame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MoonshineModel } from "./moonshine-model.ts";
import { isMadeUp, recognizeUtterance, withoutLoops } from "./recognize-utterance.ts";

const isThorough = process.env["PARLEY_TESTS_THOROUGH"] === "1";

describe("what is written for audio that is not speech", () => {
  it.each([
    ["♪♪♪♪", 0.58],
    ["© transcript Emily Beynon", 0.48],
    ["2-3ตวบน", 0.61],
    ["You", 0.2],
    ["you.", 0.49],
  ])("is known as that: %s", (text, confidence) => {
    expect(isMadeUp(text, confidence)).toBe(true);
  });

  it.each([
    ["You", 0.8],
    ["You have the wrong number.", 0.3],
    ["Café, at 10:30.", 0.4],
    ["", 0.9],
  ])("is not what people say: %s", (text, confidence) => {
    expect(isMadeUp(text, confidence)).toBe(false);
  });
});

it.each([
  ["John John John John John John Jo", "John Jo"],
  [
    "Another date, please. I'm not sure. I'm not sure. I'm not sure. I'm not sure.",
    "Another date, please. I'm not sure.",
  ],
  ["No, no, no.", "No, no, no."],
])("what the network repeats without end is written once: %s", (text, once) => {
  expect(withoutLoops(text)).toBe(once);
});

describe("plucked notes", { timeout: 60_000 }, () => {
  let model: MoonshineModel;
  beforeAll(async () => {
    model = await MoonshineModel.open("tiny");
  }, 60_000);
  afterAll(() => model.close());

  const notes = pluckedNotes(4_000);
  it.each(isThorough ? [400, 500, 600, 800, 1_200, 2_000] : [500, 1_200])(
    "of %i ms are not an answer to a question",
    async (durationMs) => {
      for (const startMs of [0, 260, 780, 1_300, 1_900]) {
        const samples = notes.slice(samplesIn(startMs), samplesIn(startMs + durationMs));
        const work = { samples, expected: ["yes", "no", "another day", "cancel"], isSpeechCertain: true };
        const heard = await recognizeUtterance(model, work, async () => false);
        expect(heard, `from ${startMs} ms`).toMatchObject({ text: "", words: [], best: null });
      }
    },
  );
});

/** As hold music often begins. */
function pluckedNotes(durationMs: number): Int16Array {
  const notesHz = [220, 330, 440, 523, 440, 330, 175, 262, 349];
  const noteSamples = samplesIn(260);
  return Int16Array.from({ length: samplesIn(durationMs) }, (_, at) => {
    const hz = notesHz[Math.floor(at / noteSamples) % notesHz.length] ?? 220;
    const inNote = at % noteSamples;
    const turn = (2 * Math.PI * hz * inNote) / 8_000;
    return 6_500 * Math.exp(-inNote / samplesIn(220)) * (Math.sin(turn) + 0.45 * Math.sin(2 * turn));
  });
}
