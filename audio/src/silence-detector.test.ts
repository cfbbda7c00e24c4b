import { expect, it } from "vitest";
import { ComfortNoise } from "./comfort-noise.ts";
import { framesOf } from "./frame.ts";
import { levelDbfsOf } from "./level.ts";
import { SilenceDetector } from "./silence-detector.ts";
import { createRandom } from "./testing/random.ts";
import { sineWave } from "./testing/sine-fit.ts";

it("a quiet line is called silent after the configured time, not before", () => {
  const detector = new SilenceDetector({ thresholdDbfs: -48, minimumSamples: 480 });
  detector.push(sineWave(700, 8000, 160, 8000));
  const quiet = new Int16Array(160);
  expect([detector.push(quiet), detector.push(quiet), detector.push(quiet)]).toEqual([false, false, true]);
  expect(detector.quietSince).toBe(160);
  expect(detector.quietSamples).toBe(480);
});

it("any audio ends the silence immediately", () => {
  const detector = new SilenceDetector({ thresholdDbfs: -48, minimumSamples: 160 });
  expect(detector.push(new Int16Array(160))).toBe(true);
  expect(detector.push(sineWave(700, 1000, 160, 8000))).toBe(false);
});

it("line noise is silence", () => {
  const random = createRandom(5);
  const noise = Int16Array.from({ length: 8000 }, () => random.wholeBetween(-60, 60));
  expect(levelDbfsOf(noise)).toBeLessThan(-55);
  const detector = new SilenceDetector();
  for (const frame of framesOf(noise)) detector.push(frame);
  expect(detector.isSilent).toBe(true);
});

it.each([-40, -55, -70])("comfort noise has the requested level (%i dBFS)", (levelDbfs) => {
  const samples = new Int16Array(80_000);
  new ComfortNoise(levelDbfs, 7).fill(samples);
  expect(Math.abs(levelDbfsOf(samples) - levelDbfs)).toBeLessThan(0.5);
});

it("comfort noise does not repeat from frame to frame, and is the same for the same seed", () => {
  const [first, second, again] = [new Int16Array(160), new Int16Array(160), new Int16Array(160)];
  const noise = new ComfortNoise(-40, 3);
  noise.fill(first);
  noise.fill(second);
  new ComfortNoise(-40, 3).fill(again);
  expect(again).toEqual(first);
  expect(second).not.toEqual(first);
});
