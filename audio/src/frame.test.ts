import { expect, it } from "vitest";
import { copySamples, createFrame, durationMsOf, FRAME_SAMPLES, framesOf, samplesIn, saturate } from "./frame.ts";

it("a telephone frame is 20 ms, which is 160 samples", () => {
  expect(FRAME_SAMPLES).toBe(160);
  expect(createFrame()).toHaveLength(160);
  expect(samplesIn(20)).toBe(160);
  expect(samplesIn(20, 24_000)).toBe(480);
  expect(durationMsOf(samplesIn(12_345))).toBe(12_345);
});

it("audio that is too loud saturates and never wraps around", () => {
  expect([32_766.4, 32_766.6, 32_767.5, 40_000, 1e12].map(saturate)).toEqual([32_766, 32_767, 32_767, 32_767, 32_767]);
  expect([-32_767.4, -32_768, -32_768.4, -1e12].map(saturate)).toEqual([-32_767, -32_768, -32_768, -32_768]);
  expect([0.4, -0.4, 1.5, -1.6].map((value) => saturate(value) + 0)).toEqual([0, 0, 2, -2]);
});

it("a copy that would exceed either end is refused before it writes anything", () => {
  const from = Int16Array.of(1, 2, 3);
  const to = new Int16Array(4);
  copySamples(from, 1, to, 2, 2);
  expect([...to]).toEqual([0, 0, 2, 3]);
  expect(() => copySamples(from, 2, to, 0, 2)).toThrow(RangeError);
  expect(() => copySamples(from, 0, to, 2, 3)).toThrow(RangeError);
  expect([...to]).toEqual([0, 0, 2, 3]);
});

it("a recording that is not a whole number of frames ends in silence", () => {
  const frames = [...framesOf(Int16Array.of(1, 2, 3, 4, 5), 3)].length;
  const last: number[] = [];
  for (const frame of framesOf(Int16Array.of(1, 2, 3, 4, 5), 3)) last.splice(0, 3, ...frame);
  expect(frames).toBe(2);
  expect(last).toEqual([4, 5, 0]);
});
