import { describe, expect, it } from "vitest";
import { USUAL_TURN_SETTINGS } from "../turn-settings.ts";
import { type CalleePace, completeAnswerHoldMs, freeSpeechHoldMs, learnPause, UNKNOWN_PACE } from "./callee-pace.ts";

function paceOf(pausesMs: readonly number[], wasComplete = false): CalleePace {
  return pausesMs.reduce((pace, pauseMs) => learnPause(pace, pauseMs, wasComplete, USUAL_TURN_SETTINGS), UNKNOWN_PACE);
}

const holdFor = (pace: CalleePace) => freeSpeechHoldMs(pace, false, USUAL_TURN_SETTINGS);

describe("the hold adapts to this callee's own pauses", () => {
  it("is as short as allowed for a callee whose pauses are short", () => {
    expect(holdFor(paceOf([180, 200, 220, 200]))).toBe(500);
  });

  it("is between 500 and 700 ms for usual pauses", () => {
    expect(holdFor(paceOf([480, 500, 500, 500]))).toBe(600);
  });

  it("exceeds 700 ms only for a callee who paused that long more than once", () => {
    expect(holdFor(paceOf([300, 300, 1_100]))).toBe(700);
    expect(holdFor(paceOf([1_100, 1_000]))).toBe(1_320);
    expect(holdFor(paceOf([1_400, 1_450, 1_500]))).toBe(1_500);
  });

  it("learns nothing from gaps between words, nor from a callee who speaks again much later", () => {
    expect(paceOf([40, 90, 2_000, 9_000])).toEqual(UNKNOWN_PACE);
  });

  it("follows a callee who has become faster", () => {
    const slowThenFast = paceOf([...Array(6).fill(1_300), ...Array(12).fill(250)]);
    expect(holdFor(slowThenFast)).toBe(500);
  });

  it("is a little longer after complete answers for a callee who keeps adding to them", () => {
    const holds = [1, 2, 3, 9].map((times) =>
      completeAnswerHoldMs(paceOf(Array(times).fill(300), true), USUAL_TURN_SETTINGS),
    );
    expect(holds).toEqual([240, 340, 440, 540]);
  });
});
