import { RingReader } from "@parley/audio/ring-reader";
import { describeVoiceActivityDetectorConformance } from "@parley/voice/conformance/voice-activity-detector-conformance";
import type { VoiceActivityDetector } from "@parley/voice/ports/voice-activity-detector";
import { afterAll, beforeAll, expect } from "vitest";
import { openTelephoneVoice } from "../testing/telephone-voice.ts";
import { connectVad } from "./connect-vad.ts";
import { startVadThread, type VadThread } from "./vad-thread.ts";

/** On the busiest machine a window is classified within this time; one that is not never will be. */
const PATIENCE_MS = 20_000;

let thread: VadThread;
let speech: Int16Array;
const failures: string[] = [];

beforeAll(async () => {
  const voice = openTelephoneVoice();
  [thread, speech] = await Promise.all([
    startVadThread({ onFailure: (reason) => failures.push(reason) }),
    voice.speak("One two three four five six seven."),
  ]);
  await voice.close();
}, 60_000);

afterAll(async () => {
  await thread.stop();
  expect(failures).toEqual([]);
});

/** The real detector, and a way to wait until it has classified everything that was written. */
function watchedDetector(detector: VoiceActivityDetector) {
  const lines = new Map<RingReader, number>();
  return {
    detector: {
      ...detector,
      watch(heard: SharedArrayBuffer, listener: Parameters<VoiceActivityDetector["watch"]>[1]) {
        const ring = new RingReader(heard);
        lines.set(ring, ring.position);
        const stop = detector.watch(heard, (windows) => {
          lines.set(ring, windows.at(-1)?.endPosition ?? 0);
          listener(windows);
        });
        return () => {
          lines.delete(ring);
          stop();
        };
      },
    },
    async look(): Promise<void> {
      const giveUpAt = performance.now() + PATIENCE_MS;
      const isBehind = () =>
        [...lines].some(([ring, judged]) => ring.writtenPosition - judged >= detector.windowSamples);
      while (isBehind()) {
        if (performance.now() > giveUpAt) throw new Error("the detector does not judge what was written");
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
  };
}

describeVoiceActivityDetectorConformance("Silero in its thread", async () => {
  const { detector, look } = watchedDetector(connectVad(thread.connect()));
  let left = 0;
  return {
    detector: {
      ...detector,
      async close() {
        await detector.close();
        // A port that was closed is noticed at its other end a moment later.
        const giveUpAt = performance.now() + PATIENCE_MS;
        do left = await thread.countLines();
        while (left > 0 && performance.now() < giveUpAt);
      },
    },
    speech,
    look,
    watched: () => left,
  };
});
