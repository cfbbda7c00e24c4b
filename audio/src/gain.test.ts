import { expect, it } from "vitest";
import { applyGain, fade, GainRamp, mixInto } from "./gain.ts";
import { gainOf, levelDbfsOf } from "./level.ts";
import { sineWave } from "./testing/sine-fit.ts";

it("a fade begins and ends at the given gains and has no step in between", () => {
  const samples = new Int16Array(100).fill(10_000);
  fade(samples, 1, 0);
  expect(samples[0]).toBe(10_000);
  expect(samples[99]).toBe(100);
  for (let index = 1; index < 100; index++) {
    expect((samples[index - 1] ?? 0) - (samples[index] ?? 0)).toBe(100);
  }
});

it("a fade changes only the given part", () => {
  const samples = new Int16Array(6).fill(1000);
  fade(samples, 0.5, 0.5, 2, 4);
  expect([...samples]).toEqual([1000, 1000, 500, 500, 1000, 1000]);
});

it("gain saturates", () => {
  const samples = Int16Array.of(20_000, -20_000, 1);
  applyGain(samples, 2);
  expect([...samples]).toEqual([32_767, -32_768, 2]);
});

it("two voices that are too loud together saturate and do not wrap around", () => {
  const target = Int16Array.of(30_000, -30_000, 5, 7);
  mixInto(target, Int16Array.of(10_000, -10_000, 6));
  expect([...target]).toEqual([32_767, -32_768, 11, 7]);
  mixInto(target, Int16Array.of(0, 0, 100), -0.5);
  expect(target[2]).toBe(-39);
});

it("ducking by 15 dB is reached exactly on time, and stays there", () => {
  const ramp = new GainRamp();
  ramp.moveTo(gainOf(-15), 320);
  const frame = new Int16Array(160).fill(10_000);
  ramp.apply(frame);
  expect(frame[0]).toBe(10_000);
  frame.fill(10_000);
  ramp.apply(frame);
  expect(ramp.gain).toBe(gainOf(-15));
  const tone = sineWave(1000, 10_000, 160, 8000);
  const before = levelDbfsOf(tone);
  ramp.apply(tone);
  expect(levelDbfsOf(tone) - before).toBeCloseTo(-15, 1);
});

it("a voice that is restored in the middle of ducking turns without a jump", () => {
  const ramp = new GainRamp();
  const frame = new Int16Array(160);
  let last = 10_000;
  const steps: number[] = [];
  const play = () => {
    frame.fill(10_000);
    ramp.apply(frame);
    for (const sample of frame) {
      steps.push(Math.abs(sample - last));
      last = sample;
    }
  };
  ramp.moveTo(gainOf(-15), 400);
  play();
  ramp.moveTo(1, 400);
  for (let count = 0; count < 3; count++) play();
  expect(Math.max(...steps)).toBeLessThan(25);
  expect(last).toBe(10_000);
  expect(ramp.gain).toBe(1);
});

it("an immediate gain change takes effect immediately", () => {
  const ramp = new GainRamp(0.5);
  ramp.moveTo(0.25, 0);
  const samples = Int16Array.of(400, 400);
  ramp.apply(samples);
  expect([...samples]).toEqual([100, 100]);
});
