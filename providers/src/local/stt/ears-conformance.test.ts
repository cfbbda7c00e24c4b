import { describeSpeechRecognizerConformance } from "@parley/voice/conformance/speech-recognizer-conformance";
import { afterAll, beforeAll } from "vitest";
import { openTelephoneVoice, type TelephoneVoice } from "../testing/telephone-voice.ts";
import { connectRecognizer } from "./connect-recognizer.ts";
import { type EarsThread, startEarsThread } from "./ears-thread.ts";

/** Longer than a process takes to load its networks on the busiest machine. */
const PATIENCE_MS = 60_000;

let ears: EarsThread;
let voice: TelephoneVoice;

beforeAll(async () => {
  voice = openTelephoneVoice();
  ears = await startEarsThread({ size: "tiny", processes: 1, deadlineMs: PATIENCE_MS });
}, PATIENCE_MS);

afterAll(async () => {
  await Promise.all([ears.stop(), voice.close()]);
}, PATIENCE_MS);

describeSpeechRecognizerConformance("Moonshine in its process", async () => {
  const recognizer = connectRecognizer(ears.connect());
  const pids = await ears.processIds();
  let left = 0;
  return {
    recognizer: {
      ...recognizer,
      async close() {
        await recognizer.close();
        const giveUpAt = performance.now() + PATIENCE_MS;
        do left = await ears.countListeners();
        while (left > 0 && performance.now() < giveUpAt);
      },
    },
    speak: (text) => voice.speak(text),
    breakEngineOnce() {
      for (const pid of pids) process.kill(pid, "SIGKILL");
    },
    resourcesHeld: () => left,
  };
});
