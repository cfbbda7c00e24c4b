import { expect, test } from "vitest";
import { USUAL_TURN_SETTINGS } from "../turn-settings.ts";
import { QUIET, type SpeechSign, type SpeechState, segmentSpeech } from "./speech-segmenter.ts";

const WINDOW_MS = 32;

/** The signs of a sequence of windows, each with the end of its window. */
function signsOf(probabilities: readonly number[]): { atMs: number; sign: SpeechSign }[] {
  let state: SpeechState = QUIET;
  return probabilities.flatMap((probability, index) => {
    const atMs = (index + 1) * WINDOW_MS;
    const window = { endMs: atMs, durationMs: WINDOW_MS, probability };
    const [next, sign] = segmentSpeech(state, window, USUAL_TURN_SETTINGS);
    state = next;
    return sign === null ? [] : [{ atMs, sign }];
  });
}

const repeat = (count: number, probability: number) => Array.from({ length: count }, () => probability);

test("speech is detected after 64 ms of it, and starts where its first window started", () => {
  expect(signsOf([0, 0, 0.9, 0.9])).toEqual([{ atMs: 128, sign: { type: "started", startMs: 64 } }]);
});

test("a click does not start speech", () => {
  expect(signsOf([0, 0.9, 0, 0.9, 0, 0.9, 0])).toEqual([]);
});

test("96 ms of silence are a pause, and shorter gaps are not", () => {
  const signs = signsOf([...repeat(2, 0.9), 0, 0, 0.9, 0, 0, 0, 0]);
  expect(signs.filter(({ sign }) => sign.type === "paused")).toEqual([{ atMs: 256, sign: { type: "paused" } }]);
});

test("a soft syllable continues speech that it could not have started", () => {
  expect(signsOf(repeat(6, 0.4))).toEqual([]);
  const signs = signsOf([...repeat(2, 0.9), ...repeat(6, 0.4)]);
  expect(signs.map(({ sign }) => sign.type)).toEqual(["started", ...repeat(6, 0).map(() => "speaking")]);
});

test("after a pause speech starts again", () => {
  const signs = signsOf([...repeat(2, 0.9), ...repeat(3, 0), ...repeat(2, 0.9)]);
  expect(signs.filter(({ sign }) => sign.type === "started").map(({ atMs }) => atMs)).toEqual([64, 224]);
});
