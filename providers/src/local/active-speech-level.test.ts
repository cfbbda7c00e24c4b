import { SILENCE_DBFS } from "@parley/audio/level";
import { ToneGenerator } from "@parley/audio/tone";
import { expect, test } from "vitest";
import { activeSpeechLevelDbfs } from "./active-speech-level.ts";

function tone(levelDbfs: number, seconds: number, sampleRateHz = 8_000): Int16Array {
  const samples = new Int16Array(seconds * sampleRateHz);
  new ToneGenerator([{ frequencyHz: 400, levelDbfs }], { sampleRateHz }).fill(samples);
  return samples;
}

test.each([-10, -22, -35, -50])("a tone that never pauses is as loud as it is: %d dBFS", (levelDbfs) => {
  expect(activeSpeechLevelDbfs(tone(levelDbfs, 8), 8_000)).toBeCloseTo(levelDbfs, 1);
});

test("long silence around speech does not make it quieter", () => {
  const samples = new Int16Array(10 * 8_000);
  samples.set(tone(-22, 2), 4 * 8_000);
  // The 200 ms after the last sound count as speech, which is a tenth of these two seconds.
  expect(Math.abs(activeSpeechLevelDbfs(samples, 8_000) + 22)).toBeLessThan(0.7);
});

test("short pauses between words belong to the speech", () => {
  const samples = tone(-22, 4);
  for (let start = 0; start < samples.length; start += 1_600) samples.fill(0, start, start + 800);
  expect(activeSpeechLevelDbfs(samples, 8_000)).toBeCloseTo(-25, 0);
});

test("faint noise between words is not speech", () => {
  const samples = tone(-70, 10);
  samples.set(tone(-22, 2), 4 * 8_000);
  expect(Math.abs(activeSpeechLevelDbfs(samples, 8_000) + 22)).toBeLessThan(0.7);
});

test("the rate does not matter", () => {
  const slow = activeSpeechLevelDbfs(tone(-30, 1, 8_000), 8_000);
  expect(activeSpeechLevelDbfs(tone(-30, 1, 48_000), 48_000)).toBeCloseTo(slow, 1);
});

test("silence has no level", () => {
  expect(activeSpeechLevelDbfs(new Int16Array(8_000), 8_000)).toBe(SILENCE_DBFS);
  expect(activeSpeechLevelDbfs(new Int16Array(0), 8_000)).toBe(SILENCE_DBFS);
});
