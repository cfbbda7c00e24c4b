import { expect, test } from "vitest";
import { describeSpeechRecognizerConformance } from "../conformance/speech-recognizer-conformance.ts";
import { createFakeStreamingRecognizer, type FakeStreamingOptions } from "./fake-streaming-recognizer.ts";
import { MarkedSpeech } from "./marked-speech.ts";

const KINDS: readonly (readonly [string, FakeStreamingOptions])[] = [
  ["the streaming fake", {}],
  ["the streaming fake with probable ends", { probableEndMs: 200 }],
  ["the streaming fake that lags behind", { probableEndMs: 200, lagMs: 300 }],
];

for (const [name, options] of KINDS) {
  describeSpeechRecognizerConformance(
    name,
    async () => {
      const speech = new MarkedSpeech();
      const recognizer = createFakeStreamingRecognizer(speech, options);
      return {
        recognizer,
        speak: async (text) => speech.speak(text),
        breakEngineOnce: () => recognizer.breakAtNextRequest(),
        resourcesHeld: () => recognizer.openStreams,
      };
    },
    { followsWholeCall: true },
  );
}

test("a probable end is taken back when the callee goes on", async () => {
  const speech = new MarkedSpeech();
  const recognizer = createFakeStreamingRecognizer(speech, { probableEndMs: 200 });
  const stream = await recognizer.open({ language: "en-US", sampleRateHz: 8_000 });
  stream.hear(speech.speak("on Tuesday"));
  stream.hear(new Int16Array(8 * 400));
  stream.hear(speech.speak("or Thursday"));
  stream.hear(new Int16Array(8 * 800));
  stream.close();
  expect(recognizer.events.filter(({ type }) => type !== "turn_updated").map(({ type }) => type)).toEqual([
    "turn_started",
    "turn_probably_ended",
    "turn_resumed",
    "turn_probably_ended",
    "turn_ended",
  ]);
  expect(recognizer.events.at(-1)).toMatchObject({ text: "on Tuesday or Thursday" });
});
