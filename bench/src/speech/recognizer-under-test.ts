import type { MoonshineSize } from "@parley/providers/local/stt/moonshine-weights";
import { connectRecognizer, startRecognizerThread } from "@parley/providers/local/stt/recognizer-thread";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import pLimit from "p-limit";

/** The recognizer as calls use it, in processes of its own. */
export interface RecognizerUnderTest {
  readonly size: MoonshineSize;
  readonly secondsOfSpeechPerSecond: number;
  recognize(samples: Int16Array, expected?: readonly string[]): Promise<Recognition>;
  close(): Promise<void>;
}

/** As many as the reference machine of these figures has cores. */
const PROCESSES = 2;
/** No callee is waiting. */
const DEADLINE_MS = 600_000;

export async function openRecognizer(size: MoonshineSize): Promise<RecognizerUnderTest> {
  const thread = await startRecognizerThread({ size, processes: PROCESSES, deadlineMs: DEADLINE_MS });
  const recognizer = connectRecognizer(thread.connect());
  return {
    size,
    secondsOfSpeechPerSecond: thread.secondsOfSpeechPerSecond,
    async recognize(samples, expected = []) {
      const stream = await recognizer.open({ language: "en-US", sampleRateHz: 8_000 });
      stream.hear(samples);
      try {
        return await stream.recognize({ expected, isSpeechCertain: true, isGuess: false });
      } finally {
        stream.close();
      }
    },
    async close() {
      await recognizer.close();
      await thread.stop();
    },
  };
}

/** Processes each item, as many at a time as keep the processes busy; results in the order of the items. */
export async function forEachAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  return pLimit(PROCESSES + 1).map(items, work);
}
