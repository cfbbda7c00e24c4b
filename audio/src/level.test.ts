import { expect, it } from "vitest";
import { dbfsOf, gainOf, levelDbfsOf, peakOf, rmsAt, rmsOf, SILENCE_DBFS } from "./level.ts";
import { sineWave } from "./testing/sine-fit.ts";

it("a sine between the rails is 3 dB below full scale, a square wave is full scale", () => {
  expect(levelDbfsOf(sineWave(1000, 32_767, 8000, 8000))).toBeCloseTo(-3.01, 2);
  expect(levelDbfsOf(Int16Array.from({ length: 80 }, (_, index) => (index % 2 ? 32_767 : -32_768)))).toBeCloseTo(0, 3);
});

it("half the amplitude is 6 dB less", () => {
  const loud = levelDbfsOf(sineWave(1000, 20_000, 8000, 8000));
  const quiet = levelDbfsOf(sineWave(1000, 10_000, 8000, 8000));
  expect(loud - quiet).toBeCloseTo(6.02, 2);
  expect(gainOf(-6.02)).toBeCloseTo(0.5, 3);
});

it("silence has a level that can be compared and printed", () => {
  expect(levelDbfsOf(new Int16Array(160))).toBe(SILENCE_DBFS);
  expect(levelDbfsOf(new Int16Array(0))).toBe(SILENCE_DBFS);
  expect(rmsOf(new Int16Array(0))).toBe(0);
});

it("a level and its root mean square are each other's inverse", () => {
  for (const levelDbfs of [0, -15, -48.5, -90]) expect(dbfsOf(rmsAt(levelDbfs))).toBeCloseTo(levelDbfs, 9);
});

it("the peak counts both polarities, including the one sample without a positive counterpart", () => {
  expect(peakOf(Int16Array.of(3, -7, 5))).toBe(7);
  expect(peakOf(Int16Array.of(-32_768, 32_767))).toBe(32_768);
  expect(peakOf(new Int16Array(0))).toBe(0);
});
