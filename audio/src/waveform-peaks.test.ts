import { expect, test } from "vitest";
import { samplesIn } from "./frame.ts";
import { PEAKS_MAX, WaveformPeaks } from "./waveform-peaks.ts";

const tone = (ms: number, loudness: number) => new Int16Array(samplesIn(ms)).fill(loudness);

test("short audio is drawn in steps of 20 ms, from silence to the maximum", () => {
  const peaks = new WaveformPeaks();
  peaks.add(tone(40, 0));
  peaks.add(tone(20, -32_768));
  peaks.add(tone(20, 12_800));
  peaks.add(tone(10, 1_280));
  expect(peaks.samplesPerPeak).toBe(160);
  expect([...peaks.take()]).toEqual([0, 0, 255, 100, 10]);
});

test("however long a call is, its drawing stays small and every moment stays at its position", () => {
  const peaks = new WaveformPeaks();
  const minutes = 30;
  for (let minute = 0; minute < minutes; minute++) {
    peaks.add(tone(59_000, 0));
    peaks.add(tone(1_000, 128 * (minute + 1)));
  }
  const drawn = peaks.take();
  expect(drawn.length).toBeGreaterThan(PEAKS_MAX / 2);
  expect(drawn.length).toBeLessThanOrEqual(PEAKS_MAX);
  expect(drawn.length).toBe(Math.ceil(samplesIn(minutes * 60_000) / peaks.samplesPerPeak));
  for (let minute = 0; minute < minutes; minute++) {
    const at = Math.floor(samplesIn(minute * 60_000 + 59_500) / peaks.samplesPerPeak);
    expect(drawn[at], `minute ${minute}`).toBe(minute + 1);
    expect(drawn[Math.floor(samplesIn(minute * 60_000 + 30_000) / peaks.samplesPerPeak)]).toBe(0);
  }
});

test("two channels of one length are drawn in the same steps", () => {
  const [quiet, loud] = [new WaveformPeaks(), new WaveformPeaks()];
  for (let second = 0; second < 100; second++) {
    quiet.add(tone(1_000, 0));
    loud.add(tone(1_000, 20_000));
  }
  expect(quiet.samplesPerPeak).toBe(loud.samplesPerPeak);
  expect(quiet.take().length).toBe(loud.take().length);
});

test("only the rest of truncated audio is drawn", () => {
  const peaks = new WaveformPeaks();
  peaks.add(tone(100, 12_800));
  expect(peaks.take(samplesIn(50))).toHaveLength(3);
  expect(peaks.take(0)).toHaveLength(0);
});
