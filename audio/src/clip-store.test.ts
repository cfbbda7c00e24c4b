import { expect, it } from "vitest";
import { ClipStore } from "./clip-store.ts";
import { createPlayout } from "./playout-layout.ts";
import { createRandom } from "./testing/random.ts";

function open(storeSamples: number) {
  const handle = createPlayout({ storeSamples });
  return { store: new ClipStore(handle), pcm: new Int16Array(handle.pcm) };
}

it("a clip that does not fit is refused immediately and counted, and fits when others were freed", () => {
  const { store } = open(1000);
  expect(store.put(new Int16Array(600))).toBe(0);
  expect(store.put(new Int16Array(500))).toBeNull();
  expect(store.refusals).toBe(1);
  store.free(0);
  expect(store.put(new Int16Array(500))).toBe(0);
});

it("a clip is never split by the end of the memory", () => {
  const { store } = open(1000);
  expect([store.put(new Int16Array(400)), store.put(new Int16Array(400))]).toEqual([0, 400]);
  store.free(0);
  expect(store.put(new Int16Array(300))).toBe(0);
  expect(store.takenSamples).toBe(400 + 200 + 300);
});

it("a clip that ends exactly at the end of the memory leaves the next one the beginning", () => {
  const { store } = open(1000);
  expect([store.put(new Int16Array(600)), store.put(new Int16Array(400))]).toEqual([0, 600]);
  store.free(0);
  expect(store.put(new Int16Array(600))).toBe(0);
});

it("memory is freed in order, so that a clip freed early waits for the one before it", () => {
  const { store } = open(1000);
  store.put(new Int16Array(500));
  store.put(new Int16Array(500));
  store.free(500);
  expect(store.takenSamples).toBe(1000);
  store.free(0);
  expect(store.takenSamples).toBe(0);
  expect(store.put(new Int16Array(1000))).toBe(0);
});

it("freeing an unknown offset, or freeing twice, is refused, and so is an empty clip", () => {
  const { store } = open(1000);
  store.put(new Int16Array(10));
  store.put(new Int16Array(10));
  store.free(10);
  expect(() => store.free(10)).toThrow("no clip was put at 10");
  expect(() => store.put(new Int16Array(0))).toThrow(RangeError);
});

it("clips in use are never overwritten, whatever is added and freed", () => {
  const random = createRandom(11);
  const { store, pcm } = open(5000);
  const inUse: { offset: number; value: number; samples: number }[] = [];
  let refused = 0;
  for (let round = 1; round < 5000; round++) {
    const samples = random.wholeBetween(1, 1500);
    const offset = store.put(new Int16Array(samples).fill(round));
    if (offset === null) refused += 1;
    else inUse.push({ offset, value: round, samples });
    for (const clip of inUse) {
      expect(pcm[clip.offset]).toBe(clip.value);
      expect(pcm[clip.offset + clip.samples - 1]).toBe(clip.value);
    }
    if (offset === null || random.next() < 0.4) {
      const [gone] = inUse.splice(random.wholeBetween(0, Math.min(2, inUse.length - 1)), 1);
      if (gone) store.free(gone.offset);
    }
  }
  expect(refused).toBeGreaterThan(100);
  expect(store.takenSamples).toBeLessThanOrEqual(store.capacitySamples);
});
