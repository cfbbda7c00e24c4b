import { expect, test } from "vitest";
import { RateChanger } from "./rate-changer.ts";

/** A tone of one second. */
const tone = (rateHz: number, toneHz: number) =>
  Float32Array.from({ length: rateHz }, (_, index) => Math.sin((2 * Math.PI * toneHz * index) / rateHz));

/** The amplitude of a tone within the audio. */
function loudness(samples: readonly number[], rateHz: number, toneHz: number): number {
  let [real, imaginary] = [0, 0];
  samples.forEach((sample, index) => {
    real += sample * Math.cos((2 * Math.PI * toneHz * index) / rateHz);
    imaginary += sample * Math.sin((2 * Math.PI * toneHz * index) / rateHz);
  });
  return (2 * Math.hypot(real, imaginary)) / samples.length;
}

test.each([48_000, 44_100, 32_000])("a second at %d Hz is a second at 16000 Hz, however it is split", (fromHz) => {
  const changer = new RateChanger(fromHz, 16_000);
  const samples = tone(fromHz, 440);
  const changed: number[] = [];
  for (let at = 0; at < samples.length; at += 128) changed.push(...changer.change(samples.subarray(at, at + 128)));
  expect(Math.abs(changed.length - 16_000)).toBeLessThanOrEqual(1);
  expect(loudness(changed, 16_000, 440)).toBeGreaterThan(0.95);
});

test("the same rate leaves every sample unchanged", () => {
  expect(new RateChanger(16_000, 16_000).change([0.25, -0.5, 1])).toEqual([0.25, -0.5, 1]);
});

test("what lies above the lower rate is much quieter than speech", () => {
  const changed = new RateChanger(48_000, 16_000).change(tone(48_000, 15_000));
  expect(loudness(changed, 16_000, 1000)).toBeLessThan(0.25);
});
