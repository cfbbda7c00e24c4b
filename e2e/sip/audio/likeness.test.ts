import { expect, test } from "vitest";
import { likeness, occurrences } from "./likeness.ts";
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
