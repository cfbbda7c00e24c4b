import type { JudgedWindow } from "@parley/voice/turns/hearing/speech-segmenter";
import { expect, test } from "vitest";
import { findUtterances } from "./find-utterances.ts";

const WINDOW_MS = 32;

/** Alternating speech and silence, each this many windows long. */
function windowsOf(...lengths: readonly number[]): readonly JudgedWindow[] {
  const loud = lengths.flatMap((length, index) => Array.from({ length }, () => index % 2 === 0));
  return loud.map((isSpeech, index) => ({
    endMs: (index + 1) * WINDOW_MS,
    durationMs: WINDOW_MS,
    probability: isSpeech ? 0.9 : 0.01,
  }));
}

test("a short pause is part of an utterance, and a long one ends it", () => {
  expect(findUtterances(windowsOf(10, 10, 10, 40, 10))).toEqual([
    { startMs: 0, endMs: 30 * WINDOW_MS },
    { startMs: 70 * WINDOW_MS, endMs: 80 * WINDOW_MS },
  ]);
});

test("endless speech is cut where recognition would get lost", () => {
  const found = findUtterances(windowsOf(1_000));
  expect(found.length).toBe(3);
  expect(found.every(({ startMs, endMs }) => endMs - startMs <= 15_000)).toBe(true);
  expect(found.at(-1)?.endMs).toBe(1_000 * WINDOW_MS);
});

test("silence has no utterances", () => {
  expect(findUtterances(windowsOf(0, 200))).toEqual([]);
});
