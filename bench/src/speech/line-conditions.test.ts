import { createRandom } from "@parley/audio/testing/random";
import { expect, test } from "vitest";
import { LINE_CONDITIONS, roomNoise, voiceRms, withJitter, withLoss } from "./line-conditions.ts";

const random = createRandom(5);
/** A second of loud audio with a second of silence on either side. */
const sound = Int16Array.from({ length: 24_000 }, (_, index) =>
  index >= 8_000 && index < 16_000 ? 6_000 * random.normal() : 0,
);
const powerOf = (samples: Int16Array) => samples.reduce((sum, each) => sum + each * each, 0) / samples.length;

test("the voice is measured without the silence around it", () => {
  expect(voiceRms(sound)).toBeCloseTo(Math.sqrt(powerOf(sound.subarray(8_000, 16_000))), -2);
});

test("noise is ten decibels below the voice", () => {
  for (const kind of ["noise", "white"]) {
    const noisy = LINE_CONDITIONS.find(({ name }) => name === kind)?.carry(sound, 1) ?? new Int16Array(0);
    const snrDb = 10 * Math.log10(voiceRms(sound) ** 2 / powerOf(noisy.subarray(0, 8_000)));
    expect(snrDb).toBeGreaterThan(9.5);
    expect(snrDb).toBeLessThan(10.5);
  }
});

const PACKETS = 2_000;

test("room noise has more low than high frequencies", () => {
  const source = roomNoise(createRandom(2));
  const noise = Float64Array.from({ length: 8_192 }, source);
  // What changes from sample to sample is what hisses.
  const hiss = noise.reduce((sum, each, index) => sum + (each - (noise[index - 1] ?? 0)) ** 2, 0) / noise.length;
  const all = noise.reduce((sum, each) => sum + each * each, 0) / noise.length;
  expect(all).toBeGreaterThan(0.8);
  expect(all).toBeLessThan(1.2);
  // White noise has twice its own power in these differences.
  expect(hiss).toBeLessThan(all);
});

test("about as many packets are lost as configured, and the same ones every time", () => {
  const long = Int16Array.from({ length: 160 * PACKETS }, (_, index) => ((index * 7_919) % 20_000) - 10_000);
  const heard = withLoss(long, 3, 0.03);
  let changed = 0;
  for (let start = 0; start < long.length; start += 160) {
    // The first samples after a gap are blended, so only the end of a packet shows whether it arrived.
    if (heard[start + 159] !== long[start + 159]) changed += 1;
  }
  expect(changed / PACKETS).toBeGreaterThan(0.02);
  expect(changed / PACKETS).toBeLessThan(0.04);
  expect(Buffer.from(withLoss(long, 3, 0.03).buffer).equals(Buffer.from(heard.buffer))).toBe(true);
});

test("jitter delays and bends a voice as the receiver of a call plays it, and a steady network only delays it", () => {
  const energyOf = (samples: Int16Array) => samples.reduce((sum, each) => sum + each * each, 0);
  const steady = withJitter(sound, 1, 0);
  const start = steady.findIndex((each) => each !== 0);
  expect(start).toBeGreaterThanOrEqual(8_000);
  expect(start - 8_000).toBeLessThanOrEqual(8 * 120);
  expect(steady.slice(start, start + 4_000)).toEqual(sound.slice(8_000, 12_000));
  const jittered = withJitter(sound, 1, 60);
  expect(energyOf(jittered) / energyOf(sound)).toBeGreaterThan(0.9);
  expect(energyOf(jittered) / energyOf(sound)).toBeLessThan(1.1);
  expect(jittered).not.toEqual(steady);
  expect(withJitter(sound, 1, 60)).toEqual(jittered);
});
