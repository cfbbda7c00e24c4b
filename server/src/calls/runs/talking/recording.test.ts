import { expect, test } from "vitest";
import { toRecordingState } from "./recording.ts";

const WHOLE = { durationMs: 67_000, gaps: [], trouble: null, peaks: null };

test("a recording as long as the call is whole", () => {
  expect(toRecordingState(WHOLE, 67_400)).toEqual({
    status: "ready",
    durationMs: 67_000,
    partial: false,
    gaps: [],
    reason: null,
  });
});

test("one that is shorter than the call says so, and where it ends", () => {
  expect(toRecordingState({ ...WHOLE, durationMs: 38_900 }, 67_000)).toEqual({
    status: "ready",
    durationMs: 38_900,
    partial: true,
    gaps: [{ startMs: 38_900, endMs: 67_000 }],
    reason: "28100 ms of audio are missing.",
  });
});

test("one with gaps lists them all, even when the disk cuts off its end", () => {
  const gaps = [{ startMs: 4_000, endMs: 5_000 }];
  expect(toRecordingState({ ...WHOLE, gaps }, 67_000)).toMatchObject({ partial: true, gaps });
  const cut = { ...WHOLE, durationMs: 66_500, gaps, trouble: "There is no space left on the disk." };
  expect(toRecordingState(cut, 67_000)).toMatchObject({
    partial: true,
    gaps: [...gaps, { startMs: 66_500, endMs: 67_000 }],
    reason: "There is no space left on the disk.",
  });
});

test("one whose call outlived the clock that measured it is judged on its own", () => {
  expect(toRecordingState(WHOLE, null)).toMatchObject({ partial: false, gaps: [] });
});

test("none at all says why", () => {
  expect(toRecordingState({ ...WHOLE, durationMs: 0, trouble: "The recorder failed." }, 67_000)).toMatchObject({
    status: "failed",
    reason: "The recorder failed.",
  });
});
