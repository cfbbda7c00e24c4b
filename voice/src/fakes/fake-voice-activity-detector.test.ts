import { createRing, RingWriter } from "@parley/audio/ring";
import { expect, test } from "vitest";
import { describeVoiceActivityDetectorConformance } from "../conformance/voice-activity-detector-conformance.ts";
import { createFakeVoiceActivityDetector } from "./fake-voice-activity-detector.ts";
import { MarkedSpeech } from "./marked-speech.ts";

for (const windowSamples of [160, 256]) {
  describeVoiceActivityDetectorConformance(`the fake with windows of ${windowSamples} samples`, async () => {
    const detector = createFakeVoiceActivityDetector({ windowSamples });
    return {
      detector,
      speech: new MarkedSpeech().speak("one two three four five"),
      look: async () => detector.look(),
      watched: () => detector.watched,
    };
  });
}

test("a fake that went deaf reports nothing more", () => {
  const detector = createFakeVoiceActivityDetector();
  const ring = createRing();
  let reports = 0;
  detector.watch(ring, () => {
    reports += 1;
  });
  const writer = new RingWriter(ring);
  writer.writeSilence(160);
  detector.look();
  detector.goDeaf();
  writer.writeSilence(160);
  detector.look();
  expect(reports).toBe(1);
});
