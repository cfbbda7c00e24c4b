import { samplesIn } from "@parley/audio/frame";
import { dbfsOf, levelDbfsOf, peakOf, SILENCE_DBFS } from "@parley/audio/level";
import { ToneGenerator } from "@parley/audio/tone";
import { describe, expect, test } from "vitest";
import { activeSpeechLevelDbfs, finishClip, LEAD_MS, SPEECH_LEVEL_DBFS, TAIL_MS } from "./finish-clip.ts";

/** A second of tone between silences. */
function clipOf({ levelDbfs = -30, leadMs = 230, tailMs = 400, sampleRateHz = 16_000 } = {}): Int16Array {
  const lead = samplesIn(leadMs, sampleRateHz);
  const clip = new Int16Array(lead + sampleRateHz + samplesIn(tailMs, sampleRateHz));
  const tone = new ToneGenerator([{ frequencyHz: 500, levelDbfs }], { sampleRateHz });
  tone.fill(clip, lead, lead + sampleRateHz);
  return clip;
}

describe("loudness", () => {
  test.each([-40, -30, -22, -8])("a voice at %d dBFS is brought to the common level", (levelDbfs) => {
    const clip = finishClip(clipOf({ levelDbfs }), 16_000, 8_000);
    expect(activeSpeechLevelDbfs(clip, 8_000)).toBeCloseTo(SPEECH_LEVEL_DBFS, 1);
  });

  test("a voice with sudden peaks stays quieter rather than being cut off at the rails", () => {
    const clip = clipOf({ levelDbfs: -40 });
    for (let index = 8_000; index < 16_000; index += 800) clip[index] = 20_000;
    const finished = finishClip(clip, 16_000, 16_000);
    expect(dbfsOf(peakOf(finished))).toBeCloseTo(-1, 1);
    expect(activeSpeechLevelDbfs(finished, 16_000)).toBeLessThan(SPEECH_LEVEL_DBFS - 2);
  });
});

describe("silence", () => {
  test.each([
    { leadMs: 230, tailMs: 400 },
    { leadMs: 0, tailMs: 0 },
    { leadMs: 5, tailMs: 1_000 },
  ])("before and after the sound is the same whatever the engine left: %o", (silences) => {
    const clip = finishClip(clipOf(silences), 16_000, 16_000);
    const soundMs = 1_000;
    expect(Math.abs(clip.length / 16 - (LEAD_MS + soundMs + TAIL_MS))).toBeLessThanOrEqual(10);
    expect(levelDbfsOf(clip.subarray(0, samplesIn(LEAD_MS - 10, 16_000)))).toBeLessThan(-50);
    expect(levelDbfsOf(clip.subarray(samplesIn(LEAD_MS + 10, 16_000)).subarray(0, 1_600))).toBeGreaterThan(-30);
    expect(levelDbfsOf(clip.subarray(-samplesIn(TAIL_MS - 10, 16_000)))).toBeLessThan(-50);
  });

  test("a clip without audio becomes an empty one", () => {
    expect(finishClip(new Int16Array(16_000), 16_000, 8_000)).toHaveLength(0);
    expect(finishClip(new Int16Array(0), 16_000, 8_000)).toHaveLength(0);
  });
});

test("the input is not changed", () => {
  const given = clipOf();
  const before = given.slice();
  finishClip(given, 16_000, 16_000);
  expect(given).toEqual(before);
});

function tone(levelDbfs: number, seconds: number, sampleRateHz = 8_000): Int16Array {
  const samples = new Int16Array(seconds * sampleRateHz);
  new ToneGenerator([{ frequencyHz: 400, levelDbfs }], { sampleRateHz }).fill(samples);
  return samples;
}

test.each([-10, -22, -35, -50])("a tone without pauses has its own level: %d dBFS", (levelDbfs) => {
  expect(activeSpeechLevelDbfs(tone(levelDbfs, 8), 8_000)).toBeCloseTo(levelDbfs, 1);
});

test("long silence around speech does not make it quieter", () => {
  const samples = new Int16Array(10 * 8_000);
  samples.set(tone(-22, 2), 4 * 8_000);
  // The 200 ms after the last audio count as speech, a tenth of these two seconds.
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
