import { expect, test } from "vitest";
import { joinPieces, outcomeOf } from "../conformance/outcome-of.ts";
import { describeSpeechSynthesizerConformance } from "../conformance/speech-synthesizer-conformance.ts";
import type { SpeechRequest } from "../ports/speech-synthesizer.ts";
import { createFakeSpeechSynthesizer, FAKE_GAP_MS, FAKE_WORD_MS } from "./fake-speech-synthesizer.ts";

describeSpeechSynthesizerConformance("the fake", async () => {
  const synthesizer = createFakeSpeechSynthesizer();
  return {
    synthesizer,
    isDeterministic: true,
    breakEngineOnce: () => synthesizer.failNext(),
    resourcesHeld: () => 0,
  };
});

const request: SpeechRequest = { text: "one two three", voiceId: "low", sampleRateHz: 8_000 };

test("a test can compute where in the audio each word is", async () => {
  const clip = await joinPieces(createFakeSpeechSynthesizer().speak(request));
  expect(clip.length).toBe(3 * 8 * (FAKE_WORD_MS + FAKE_GAP_MS));
  expect(clip.subarray(8 * FAKE_WORD_MS, 8 * (FAKE_WORD_MS + FAKE_GAP_MS)).every((sample) => sample === 0)).toBe(true);
});

test("first audio that is held back arrives when it is released, and not before", async () => {
  const synthesizer = createFakeSpeechSynthesizer();
  const letGo = synthesizer.holdBack();
  const order: string[] = [];
  const first = outcomeOf(
    synthesizer
      .speak(request)
      [Symbol.asyncIterator]()
      .next()
      .then(() => order.push("sound")),
  );
  await new Promise((resolve) => setImmediate(resolve));
  order.push("let go");
  letGo();
  await first;
  expect(order).toEqual(["let go", "sound"]);
  expect(synthesizer.requests).toEqual([request]);
});
