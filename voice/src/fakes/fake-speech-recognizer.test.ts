import { expect, test } from "vitest";
import { describeSpeechRecognizerConformance } from "../conformance/speech-recognizer-conformance.ts";
import { createFakeSpeechRecognizer } from "./fake-speech-recognizer.ts";
import { MarkedSpeech } from "./marked-speech.ts";

describeSpeechRecognizerConformance("the fake", async () => {
  const speech = new MarkedSpeech();
  const recognizer = createFakeSpeechRecognizer(speech);
  return {
    recognizer,
    speak: async (text) => speech.speak(text),
    breakEngineOnce: () => recognizer.failNext(),
    resourcesHeld: () => recognizer.openStreams,
  };
});

test("an answer that is held back arrives when it is released", async () => {
  const speech = new MarkedSpeech();
  const recognizer = createFakeSpeechRecognizer(speech);
  const stream = await recognizer.open({ language: "en-US", sampleRateHz: 8_000 });
  stream.hear(speech.speak("hello there"));
  const letGo = recognizer.holdBack();
  const order: string[] = [];
  const answer = stream.recognize({ expected: [], isSpeechCertain: true, isGuess: false }).then(({ text }) => {
    order.push(text);
  });
  await new Promise((resolve) => setImmediate(resolve));
  order.push("let go");
  letGo();
  await answer;
  expect(order).toEqual(["let go", "hello there"]);
});
