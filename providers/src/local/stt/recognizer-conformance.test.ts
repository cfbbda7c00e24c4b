import { describeSpeechRecognizerConformance } from "@parley/voice/conformance/speech-recognizer-conformance";
import { afterAll, beforeAll } from "vitest";
import { openTelephoneVoice, type TelephoneVoice } from "../testing/telephone-voice.ts";
import { connectRecognizer, type RecognizerThread, startRecognizerThread } from "./recognizer-thread.ts";

/** Longer than a process takes to load its networks on the busiest machine. */
const PATIENCE_MS = 60_000;

let thread: RecognizerThread;
let voice: TelephoneVoice;

beforeAll(async () => {
  voice = openTelephoneVoice();
  thread = await startRecognizerThread({ size: "tiny", processes: 1, deadlineMs: PATIENCE_MS });
}, PATIENCE_MS);

afterAll(async () => {
  await Promise.all([thread.stop(), voice.close()]);
}, PATIENCE_MS);

describeSpeechRecognizerConformance("Moonshine in its process", async () => {
  const recognizer = connectRecognizer(thread.connect());
  const pids = await thread.processIds();
  let left = 0;
  return {
    recognizer: {
      ...recognizer,
      async close() {
        await recognizer.close();
        const giveUpAt = performance.now() + PATIENCE_MS;
        do left = await thread.countListeners();
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
