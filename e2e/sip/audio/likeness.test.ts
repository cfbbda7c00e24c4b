import { expect, test } from "vitest";
import { likeness, likenessOfMoments, occurrences } from "./likeness.ts";
import { CALLEE_PHRASE, CALLER_PHRASE, repeated } from "./phrases.ts";

function delayed(samples: Int16Array, delay: number): Int16Array {
  const later = new Int16Array(samples.length + delay + 4_000);
  later.set(samples, delay);
  return later;
}

test("a phrase is found wherever it was said, and another is not mistaken for it", () => {
  const heard = delayed(repeated(CALLER_PHRASE, 3), 3_333);
  expect(likeness(CALLER_PHRASE, heard)).toBeGreaterThan(0.9999);
  expect(likeness(CALLEE_PHRASE, heard)).toBeLessThan(0.3);
});

test("a lost packet in every repetition is noticed, one in a single repetition is tolerated", () => {
  const once = delayed(repeated(CALLER_PHRASE, 3), 500);
  once.fill(0, 4_500, 4_820);
  expect(likeness(CALLER_PHRASE, once)).toBeGreaterThan(0.99);
  expect(occurrences(CALLER_PHRASE, once, 3).filter(({ correlation }) => correlation > 0.99)).toHaveLength(2);
  const always = delayed(repeated(CALLER_PHRASE, 3), 500);
  for (const at of [4_500, 12_500, 20_500]) always.fill(0, at, at + 320);
  expect(likeness(CALLER_PHRASE, always)).toBeLessThan(0.99);
});

test("silence matches nothing", () => {
  expect(likeness(CALLER_PHRASE, new Int16Array(24_000))).toBeLessThan(0.1);
  expect(likeness(CALLER_PHRASE, new Int16Array())).toBeLessThan(0.1);
});

test("moments that were lost or came late are tolerated, noise on every moment is not", () => {
  const late = delayed(CALLER_PHRASE, 700);
  late.copyWithin(4_160, 4_000, late.length - 160);
  late.fill(0, 4_000, 4_160);
  expect(likenessOfMoments(CALLER_PHRASE, late)).toBeGreaterThan(0.99);
  const noisy = delayed(CALLER_PHRASE, 700).map((sample, index) => sample + ((index * 7_919) % 8_001) - 4_000);
  expect(likenessOfMoments(CALLER_PHRASE, noisy)).toBeLessThan(0.99);
  expect(likenessOfMoments(CALLER_PHRASE, delayed(CALLEE_PHRASE, 700))).toBeLessThan(0.9);
});
