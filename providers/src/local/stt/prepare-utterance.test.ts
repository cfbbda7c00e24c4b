import { createRandom } from "@parley/audio/testing/random";
import { expect, test } from "vitest";
import { reduceNoise } from "./prepare-utterance.ts";

const random = createRandom(9);
/** A hum that sounds every other half second. */
const voice = Int16Array.from({ length: 24_000 }, (_, at) =>
  Math.floor(at / 4_000) % 2 === 1 ? 8_000 * Math.sin((2 * Math.PI * 500 * at) / 8_000) : 0,
);
const powerOf = (samples: Int16Array) => samples.reduce((sum, each) => sum + each * each, 0) / samples.length;

test("a good line is left unchanged", () => {
  const heard = voice.map((sample) => sample + Math.round(20 * random.normal()));
  expect(reduceNoise(heard)).toBe(heard);
});

test("noise is removed from the pauses, and the voice stays", () => {
  const heard = voice.map((sample) => sample + Math.round(1_500 * random.normal()));
  const cleaned = reduceNoise(heard);
  expect(cleaned.length).toBe(heard.length);
  expect(powerOf(cleaned.subarray(1_000, 3_000))).toBeLessThan(powerOf(heard.subarray(1_000, 3_000)) / 10);
  expect(powerOf(cleaned.subarray(5_000, 7_000))).toBeGreaterThan(powerOf(voice.subarray(5_000, 7_000)) * 0.8);
});

test("silence and very short input are handled", () => {
  expect(powerOf(reduceNoise(new Int16Array(8_000)))).toBe(0);
  expect(reduceNoise(new Int16Array(10)).length).toBe(10);
});
