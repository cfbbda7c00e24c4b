import type { SpeechRequest } from "@parley/voice/ports/speech-synthesizer";
import { beforeEach, expect, test } from "vitest";
import { ClipCache, rememberClips } from "./clip-cache.ts";
import { createWordSynthesizer, type WordSynthesizer } from "./testing/word-synthesizer.ts";

let synthesizer: WordSynthesizer;
let cache: ClipCache;

beforeEach(() => {
  synthesizer = createWordSynthesizer();
  cache = new ClipCache(synthesizer, { bytesMax: 10_000 });
});

const settle = () => new Promise((resolve) => setImmediate(resolve));
const requestOf = (text: string, wanted: Partial<SpeechRequest> = {}): SpeechRequest => ({
  text,
  voiceId: "only",
  sampleRateHz: 8_000,
  ...wanted,
});

async function fill(text: string, wanted: Partial<SpeechRequest> = {}): Promise<Int16Array> {
  const clip = cache.clipOf(requestOf(text, wanted));
  await settle();
  synthesizer.finish(text);
  return clip;
}

test("a clip is rendered only once", async () => {
  const first = await fill("hi");
  expect(await cache.clipOf(requestOf("hi"))).toEqual(first);
  expect(first).toEqual(Int16Array.of(104, 105));
  expect(synthesizer.asked).toEqual(["hi"]);
});

test("another voice and another rate are other clips", async () => {
  await fill("hi");
  await fill("hi", { voiceId: "other" });
  await fill("hi", { sampleRateHz: 16_000 });
  expect(synthesizer.asked).toHaveLength(3);
  expect(cache.clips).toBe(3);
});

test("a listener who changes a clip changes only a copy", async () => {
  (await fill("hi")).fill(0);
  (await cache.clipOf(requestOf("hi"))).fill(0);
  expect(await cache.clipOf(requestOf("hi"))).toEqual(Int16Array.of(104, 105));
});

test("a clip that several callers request at once is rendered once", async () => {
  const both = [cache.clipOf(requestOf("hi")), cache.clipOf(requestOf("hi"))];
  await settle();
  synthesizer.finish("hi");
  const [first, second] = await Promise.all(both);
  expect(synthesizer.asked).toEqual(["hi"]);
  expect(first).toEqual(second);
  expect(first).not.toBe(second);
});

test("a caller who leaves does not end it for the others", async () => {
  const controller = new AbortController();
  const leaving = cache.clipOf(requestOf("hi", { signal: controller.signal }));
  const staying = cache.clipOf(requestOf("hi"));
  controller.abort(new Error("hung up"));
  await expect(leaving).rejects.toThrow("hung up");
  synthesizer.finish("hi");
  expect(await staying).toHaveLength(2);
  expect(synthesizer.abandoned).toEqual([]);
});

test("a clip that no one waits for is aborted, and rendered again when it is next requested", async () => {
  const controllers = [new AbortController(), new AbortController()];
  const leaving = controllers.map(({ signal }) => cache.clipOf(requestOf("hi", { signal })));
  const outcomes = Promise.allSettled(leaving);
  for (const controller of controllers) controller.abort(new Error("hung up"));
  const again = cache.clipOf(requestOf("hi"));
  await settle();
  synthesizer.finish("hi");
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await again).toHaveLength(2);
  expect(synthesizer.asked).toEqual(["hi", "hi"]);
  expect(synthesizer.abandoned).toEqual(["hi"]);
});

test("a failure reaches everyone who waited and is not cached", async () => {
  const both = Promise.allSettled([cache.clipOf(requestOf("hi")), cache.clipOf(requestOf("hi"))]);
  await settle();
  synthesizer.fail("hi");
  for (const outcome of await both) expect(outcome).toMatchObject({ reason: { name: "ProviderError" } });
  expect(await fill("hi")).toHaveLength(2);
});

test("when the cache is full, the least recently used clip is evicted first", async () => {
  const long = (letter: string) => letter.repeat(1_000);
  for (const letter of ["a", "b"]) await fill(long(letter));
  await cache.clipOf(requestOf(long("a")));
  await fill(long("c"));
  expect(cache.bytes).toBeLessThanOrEqual(10_000);
  await cache.clipOf(requestOf(long("a")));
  expect(synthesizer.asked.map((text) => text[0])).toEqual(["a", "b", "c"]);
  await fill(long("b"));
  expect(synthesizer.asked.map((text) => text[0])).toEqual(["a", "b", "c", "b"]);
});

test("a clip larger than the whole cache is returned but not kept", async () => {
  expect(await fill("x".repeat(9_000))).toHaveLength(9_000);
  expect(cache.clips).toBe(0);
  expect(cache.bytes).toBe(0);
});

test("a cleared cache is empty", async () => {
  await fill("hi");
  cache.clear();
  expect([cache.clips, cache.bytes]).toEqual([0, 0]);
  await fill("hi");
  expect(synthesizer.asked).toHaveLength(2);
});

test("what is needed now is not left behind what is rendered ahead", async () => {
  const leave = new AbortController();
  const ahead = cache.clipOf(requestOf("hi", { isAhead: true, signal: leave.signal }));
  await settle();
  const now = await fill("hi");
  expect(synthesizer.asked).toEqual(["hi", "hi"]);
  expect(await cache.clipOf(requestOf("hi", { isAhead: true }))).toEqual(now);
  expect(synthesizer.asked).toHaveLength(2);
  leave.abort(new Error("no longer needed"));
  await expect(ahead).rejects.toThrow("no longer needed");
});

test("voices with a memory say a clause again without rendering it", async () => {
  const voices = rememberClips(synthesizer, { bytesMax: 10_000 });
  const say = () => Array.fromAsync(voices.speak(requestOf("hi")));
  const first = say();
  await settle();
  synthesizer.finish("hi");
  expect(await first).toEqual([Int16Array.of(104, 105)]);
  expect(await say()).toEqual([Int16Array.of(104, 105)]);
  expect(synthesizer.asked).toEqual(["hi"]);
});
