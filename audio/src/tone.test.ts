import { expect, it } from "vitest";
import { levelDbfsOf } from "./level.ts";
import { fitSine } from "./testing/sine-fit.ts";
import { ToneGenerator } from "./tone.ts";

it("a tone generated in frames equals the same tone in one piece", () => {
  const partials = [
    { frequencyHz: 440, levelDbfs: -13 },
    { frequencyHz: 480, levelDbfs: -13 },
  ];
  const whole = new Int16Array(1600);
  new ToneGenerator(partials).fill(whole);
  const pieces = new ToneGenerator(partials);
  const joined = new Int16Array(1600);
  for (let start = 0; start < 1600; start += 160) pieces.fill(joined, start, start + 160);
  expect(joined).toEqual(whole);
});

it("a tone has the requested frequency and level, even after a minute", () => {
  const tone = new ToneGenerator([{ frequencyHz: 1004, levelDbfs: -16 }]);
  const frame = new Int16Array(8000);
  tone.fill(frame);
  expect(levelDbfsOf(frame)).toBeCloseTo(-16, 2);
  expect(fitSine(frame, 1004, 8000).residueRms).toBeLessThan(0.5);
  for (let second = 0; second < 60; second++) tone.fill(frame);
  expect(fitSine(frame, 1004, 8000).residueRms).toBeLessThan(0.5);
});

it("changing the pitch leaves no step in the wave", () => {
  const tone = new ToneGenerator([{ frequencyHz: 400, levelDbfs: -9 }]);
  const samples = new Int16Array(400);
  tone.fill(samples, 0, 203);
  tone.change([{ frequencyHz: 500, levelDbfs: -9 }]);
  tone.fill(samples, 203);
  const steepest = Math.max(...samples.map((sample, index) => Math.abs(sample - (samples[index - 1] ?? sample))));
  expect(steepest).toBeLessThan(32_768 * 0.5 * ((2 * Math.PI * 500) / 8000) * 1.05);
});

it("more sines than there is room for are refused", () => {
  const tone = new ToneGenerator();
  const many = Array.from({ length: 9 }, () => ({ frequencyHz: 500, levelDbfs: -30 }));
  expect(() => tone.change(many)).toThrow(RangeError);
  expect(() => new ToneGenerator(many)).not.toThrow();
});
