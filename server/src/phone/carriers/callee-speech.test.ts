import { expect, test, vi } from "vitest";
import { rememberWords } from "./callee-speech.ts";

const FRAME_SAMPLES = 80;
const never = new AbortController().signal;

/** Speech of that pitch between two stretches of line noise of those lengths. */
function utterance(pitchHz: number, { framesBefore = 10, framesAfter = 20 } = {}): Int16Array {
  const speech = Int16Array.from({ length: 50 * FRAME_SAMPLES }, (_, index) =>
    Math.round(6_000 * Math.sin((2 * Math.PI * pitchHz * index) / 8_000)),
  );
  const noise = (frames: number) =>
    Int16Array.from({ length: frames * FRAME_SAMPLES }, () => Math.round(20 * (Math.random() - 0.5)));
  return Int16Array.from([...noise(framesBefore), ...speech, ...noise(framesAfter)]);
}

function recognizer() {
  const understand = vi.fn(async (heard: Int16Array, signal: AbortSignal) => {
    await Promise.resolve();
    signal.throwIfAborted();
    return `${heard.length} samples`;
  });
  return { understand, remembering: rememberWords({ understand }) };
}

test("the same speech is recognized once, whatever the pauses around it", async () => {
  const { understand, remembering } = recognizer();
  const first = await remembering.understand(utterance(200), never);
  expect(await remembering.understand(utterance(200, { framesBefore: 3, framesAfter: 41 }), never)).toBe(first);
  expect(understand).toHaveBeenCalledOnce();
});

test("other speech is recognized anew", async () => {
  const { understand, remembering } = recognizer();
  await remembering.understand(utterance(200), never);
  await remembering.understand(utterance(210), never);
  expect(understand).toHaveBeenCalledTimes(2);
});

test("callees that hear the same at the same time share one recognition", async () => {
  const { understand, remembering } = recognizer();
  const both = await Promise.all([1, 2].map(() => remembering.understand(utterance(200), never)));
  expect(both[0]).toBe(both[1]);
  expect(understand).toHaveBeenCalledOnce();
});

test("a callee who hangs up does not abort the recognition that others wait for", async () => {
  const { remembering } = recognizer();
  const gone = new AbortController();
  const first = remembering.understand(utterance(200), gone.signal);
  const second = remembering.understand(utterance(200), never);
  gone.abort(new Error("hung up"));
  await expect(first).rejects.toThrow("hung up");
  expect(await second).toMatch(/samples/);
});

test("a failure is not remembered", async () => {
  const { understand, remembering } = recognizer();
  understand.mockRejectedValueOnce(new Error("the recognizer ended"));
  await expect(remembering.understand(utterance(200), never)).rejects.toThrow("ended");
  expect(await remembering.understand(utterance(200), never)).toMatch(/samples/);
});
