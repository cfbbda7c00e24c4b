import { expect, test } from "vitest";
import { createFakeSpeechSynthesizer } from "../fakes/fake-speech-synthesizer.ts";
import { ProviderError } from "../ports/provider-error.ts";
import { ClauseRenderer } from "./clause-renderer.ts";

function open() {
  const synthesizer = createFakeSpeechSynthesizer();
  return { synthesizer, renderer: new ClauseRenderer(synthesizer, "low") };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

async function samplesOf(sound: AsyncIterable<Int16Array>): Promise<number> {
  let count = 0;
  for await (const piece of sound) count += piece.length;
  return count;
}

test("likely clauses are rendered once, one after the other, and produce the same audio", async () => {
  const { synthesizer, renderer } = open();
  renderer.prepare(["one two", "three"]);
  await settled();
  expect(synthesizer.requests.map(({ text }) => text)).toEqual(["one two", "three"]);
  expect(await samplesOf(renderer.render("one two", { signal: never }))).toBe(2 * 300 * 8);
  expect(synthesizer.requests).toHaveLength(2);
  renderer.close();
});

test("a clause that is needed now does not wait for speculative ones", async () => {
  const { synthesizer, renderer } = open();
  const letGo = synthesizer.holdBack();
  renderer.prepare(["likely"]);
  await settled();
  letGo();
  expect(await samplesOf(renderer.render("needed", { signal: never }))).toBe(300 * 8);
  expect(synthesizer.requests[0]?.signal?.aborted).toBe(true);
  renderer.close();
});

test("a clause that is being rendered is not rendered twice", async () => {
  const { synthesizer, renderer } = open();
  const letGo = synthesizer.holdBack();
  renderer.prepare(["likely"]);
  const sound = samplesOf(renderer.render("likely", { signal: never }));
  await settled();
  letGo();
  expect(await sound).toBe(300 * 8);
  expect(synthesizer.requests).toHaveLength(1);
  renderer.close();
});

test("a temporary failure is retried once, before anything was heard", async () => {
  const { synthesizer, renderer } = open();
  synthesizer.failNext();
  expect(await samplesOf(renderer.render("again", { signal: never }))).toBe(300 * 8);
  synthesizer.failNext(new ProviderError("fake", "broken for good", { retryable: false }));
  await expect(samplesOf(renderer.render("again", { signal: never }))).rejects.toThrow("broken for good");
  renderer.close();
});

test("a clause that failed ahead of time is retried when it is needed", async () => {
  const { synthesizer, renderer } = open();
  synthesizer.failNext(new ProviderError("fake", "broken for good", { retryable: false }));
  renderer.prepare(["likely"]);
  await settled();
  expect(await samplesOf(renderer.render("likely", { signal: never }))).toBe(300 * 8);
  renderer.close();
});

test("nothing is rendered for a call that is over", async () => {
  const { synthesizer, renderer } = open();
  const letGo = synthesizer.holdBack();
  renderer.prepare(["one", "two"]);
  await settled();
  renderer.close();
  letGo();
  renderer.prepare(["three"]);
  await settled();
  expect(synthesizer.requests.map(({ text }) => text)).toEqual(["one"]);
});

test("a clause that is needed while it is rendered ahead becomes urgent, and has its word times", async () => {
  const { synthesizer } = open();
  const urged: number[] = [];
  const times = [{ startMs: 0, endMs: 300 }];
  const timed: typeof synthesizer = {
    ...synthesizer,
    speak(request) {
      request.whenNeeded?.then((dueInMs) => urged.push(dueInMs));
      request.onWordTimes?.(times);
      return synthesizer.speak(request);
    },
  };
  const renderer = new ClauseRenderer(timed, "low");
  const letGo = synthesizer.holdBack();
  renderer.prepare(["likely"]);
  await settled();
  expect(urged).toEqual([]);
  const given: unknown[] = [];
  const options = { signal: never, dueInMs: 700, onWordTimes: (each: unknown) => given.push(each) };
  const sound = samplesOf(renderer.render("likely", options));
  await settled();
  letGo();
  await sound;
  expect(urged).toEqual([700]);
  expect(given).toEqual([times]);
  renderer.close();
});

test("word times that grow with the audio are passed on before it, also for a clause rendered ahead", async () => {
  const { synthesizer } = open();
  const all = [1, 2, 3].map((word) => ({ startMs: 300 * (word - 1), endMs: 300 * word }));
  const timed: typeof synthesizer = {
    ...synthesizer,
    async *speak(request) {
      for (const word of all.keys()) {
        request.onWordTimes?.(all.slice(0, word + 1));
        yield new Int16Array(300 * 8);
      }
      request.onWordTimes?.(all.slice());
    },
  };
  const renderer = new ClauseRenderer(timed, "low");
  const seen = async () => {
    const order: (string | number)[] = [];
    const options = { signal: never, onWordTimes: (times: readonly unknown[]) => order.push(times.length) };
    for await (const piece of renderer.render("one two three", options)) order.push(`${piece.length} samples`);
    return order;
  };
  const piece = "2400 samples";
  expect(await seen()).toEqual([1, piece, 2, piece, 3, piece, 3]);
  renderer.prepare(["one two three"]);
  await settled();
  expect(await seen()).toEqual([3, piece, piece, piece]);
  renderer.close();
});

test("the word times of a failed attempt are taken back", async () => {
  const { synthesizer } = open();
  let attempts = 0;
  const failing: typeof synthesizer = {
    ...synthesizer,
    speak(request) {
      attempts += 1;
      if (attempts > 1) return synthesizer.speak(request);
      request.onWordTimes?.([{ startMs: 0, endMs: 300 }]);
      synthesizer.failNext();
      return synthesizer.speak(request);
    },
  };
  const renderer = new ClauseRenderer(failing, "low");
  const lists: (readonly unknown[])[] = [];
  const options = { signal: never, onWordTimes: (times: readonly unknown[]) => lists.push(times) };
  await samplesOf(renderer.render("again", options));
  expect(lists).toEqual([[{ startMs: 0, endMs: 300 }], []]);
  renderer.close();
});

test("a changed voice is reported when its clause is played, not when it was only rendered ahead, and is then kept", async () => {
  const { synthesizer } = open();
  const changes: string[] = [];
  const asked: string[] = [];
  const failing: typeof synthesizer = {
    ...synthesizer,
    speak(request) {
      asked.push(request.voiceId);
      if (request.voiceId === "low") request.onVoiceChanged?.({ voiceId: "high", reason: "it could not be loaded" });
      return synthesizer.speak(request);
    },
  };
  const renderer = new ClauseRenderer(failing, "low", (reason) => changes.push(reason));
  renderer.prepare(["likely", "unlikely"]);
  await settled();
  expect(changes).toEqual([]);
  await samplesOf(renderer.render("likely", { signal: never }));
  expect(changes).toEqual(["it could not be loaded"]);
  await samplesOf(renderer.render("new", { signal: never }));
  await samplesOf(renderer.render("unlikely", { signal: never }));
  expect(asked).toEqual(["low", "low", "high", "high"]);
  expect(changes).toHaveLength(1);
  renderer.close();
});

/** A voice that another one replaces while `isBroken`, unless the requester keeps its voice. */
function openReplaced() {
  const { synthesizer } = open();
  const spoken: string[] = [];
  const state = { isBroken: false };
  const replaced: typeof synthesizer = {
    ...synthesizer,
    async *speak(request) {
      const isReplaced = state.isBroken && request.voiceId === "low";
      if (isReplaced && request.keepsVoice === true)
        throw new ProviderError("fake", "broken for now", { retryable: false });
      const voiceId = isReplaced ? "high" : request.voiceId;
      if (isReplaced) request.onVoiceChanged?.({ voiceId, reason: "it is broken" });
      spoken.push(`${voiceId}: ${request.text}`);
      yield* synthesizer.speak({ ...request, voiceId });
    },
  };
  const changes: string[] = [];
  const renderer = new ClauseRenderer(replaced, "low", (reason) => changes.push(reason));
  return { renderer, state, spoken, changes };
}

test("once a clause was heard, the voice of a call fails rather than change", async () => {
  const { renderer, state, changes } = openReplaced();
  await samplesOf(renderer.render("first", { signal: never }));
  state.isBroken = true;
  await expect(samplesOf(renderer.render("second", { signal: never }))).rejects.toThrow("broken for now");
  renderer.prepare(["ahead"]);
  await settled();
  await expect(samplesOf(renderer.render("ahead", { signal: never }))).rejects.toThrow("broken for now");
  state.isBroken = false;
  await samplesOf(renderer.render("third", { signal: never }));
  expect(changes).toEqual([]);
  renderer.close();
});

test("what another voice rendered before the first clause was heard is rendered again in the voice of that clause", async () => {
  const { renderer, state, spoken, changes } = openReplaced();
  renderer.prepare(["first"]);
  await settled();
  state.isBroken = true;
  renderer.prepare(["first", "second"]);
  await settled();
  state.isBroken = false;
  await samplesOf(renderer.render("first", { signal: never }));
  await samplesOf(renderer.render("second", { signal: never }));
  expect(spoken).toEqual(["low: first", "high: second", "low: second"]);
  expect(changes).toEqual([]);
  renderer.close();
});

test("a sentence that is rendered in parallel is in the voice of the call or missing", async () => {
  const { renderer, state, spoken } = openReplaced();
  state.isBroken = true;
  expect(await renderer.renderWhole("one moment", never)).toBeNull();
  state.isBroken = false;
  expect(await renderer.renderWhole("one moment", never)).not.toBeNull();
  expect(spoken).toEqual(["low: one moment"]);
  renderer.close();
});
