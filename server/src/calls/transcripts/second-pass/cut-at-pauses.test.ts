import { durationMsOf, samplesIn } from "@parley/audio/frame";
import { expect, test } from "vitest";
import { cutAtPauses } from "./revise-call.ts";

/** Loud audio with short pauses at the given times. */
function speech(lengthMs: number, pausesAtMs: readonly number[]): Int16Array {
  const samples = new Int16Array(samplesIn(lengthMs)).fill(8_000);
  for (const atMs of pausesAtMs) samples.fill(10, samplesIn(atMs), samplesIn(atMs + 300));
  return samples;
}

test("short audio is left whole", () => {
  const samples = speech(14_000, [5_000]);
  expect(cutAtPauses(samples)).toEqual([samples]);
});

test("a long speech is cut in its pauses, and nothing of it is lost", () => {
  const samples = speech(30_000, [3_000, 9_000, 21_000]);
  const pieces = cutAtPauses(samples);
  expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(samples.length);
  const cutsMs = pieces.map(({ length }) => Math.round(durationMsOf(length)));
  expect(cutsMs[0]).toBeGreaterThanOrEqual(9_000);
  expect(cutsMs[0]).toBeLessThanOrEqual(9_300);
  expect((cutsMs[0] ?? 0) + (cutsMs[1] ?? 0)).toBeGreaterThanOrEqual(21_000);
  expect(Math.max(...cutsMs)).toBeLessThanOrEqual(14_000);
});

test("speech without a pause is still cut", () => {
  const pieces = cutAtPauses(speech(60_000, []));
  expect(pieces.length).toBeGreaterThan(4);
  expect(Math.max(...pieces.map(({ length }) => durationMsOf(length)))).toBeLessThanOrEqual(14_000);
});
