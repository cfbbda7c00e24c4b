import { createRandom } from "@parley/audio/testing/random";
import { expect, test } from "vitest";
import { MARKED_GAP_MS, MARKED_WORD_MS, MarkedSpeech } from "./marked-speech.ts";

test("what was spoken can be read, with the times of the words", () => {
  const speech = new MarkedSpeech();
  const sound = speech.speak("one two one");
  const stepMs = MARKED_WORD_MS + MARKED_GAP_MS;
  expect(speech.read(sound)).toEqual([
    { text: "one", startMs: 0, endMs: MARKED_WORD_MS },
    { text: "two", startMs: stepMs, endMs: stepMs + MARKED_WORD_MS },
    { text: "one", startMs: 2 * stepMs, endMs: 2 * stepMs + MARKED_WORD_MS },
  ]);
});

test("a word of which less than half was heard is not recognized", () => {
  const speech = new MarkedSpeech();
  const sound = speech.speak("hello there");
  expect(speech.read(sound.subarray(0, 8 * 420)).map(({ text }) => text)).toEqual(["hello"]);
  expect(speech.read(sound.subarray(0, 8 * 440)).map(({ text }) => text)).toEqual(["hello", "there"]);
});

test("silence and other audio have no words", () => {
  const speech = new MarkedSpeech();
  speech.speak("hello");
  expect(speech.read(new Int16Array(8_000))).toEqual([]);
  expect(speech.read(new Int16Array(8_000).fill(2_000))).toEqual([]);
});

test("the noise of a quiet room changes no word", () => {
  const speech = new MarkedSpeech();
  const words = Array.from({ length: 200 }, (_, index) => `word${index}`);
  const sound = speech.speak(words.join(" "));
  const { normal } = createRandom(1);
  const noisy = sound.map((sample) => sample + Math.round(30 * normal()));
  expect(speech.read(noisy).map(({ text }) => text)).toEqual(words);
});
