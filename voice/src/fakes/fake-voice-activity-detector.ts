import { FRAME_SAMPLES } from "@parley/audio/frame";
import { rmsAt, rmsOf } from "@parley/audio/level";
import { RingReader } from "@parley/audio/ring-reader";
import type { ActivityWindow, VoiceActivityDetector } from "../ports/voice-activity-detector.ts";

export interface FakeVoiceActivityDetector extends VoiceActivityDetector {
  /** Processes everything written since the last call. Call it after each frame. */
  look(): void;
  readonly watched: number;
  /** Processes nothing any more, like a thread that hangs. */
  goDeaf(): void;
}

/** Everything louder than this is speech. */
const SPEECH_DBFS = -40;

export interface FakeVoiceActivityOptions {
  readonly windowSamples?: number;
  /** Whether a window contains speech. By default everything loud does. */
  isSpeech?(window: Int16Array): boolean;
}

/** Decides frame by frame, without delay. */
export function createFakeVoiceActivityDetector({
  windowSamples = FRAME_SAMPLES,
  isSpeech = isLoud,
}: FakeVoiceActivityOptions = {}): FakeVoiceActivityDetector {
  const watches = new Map<RingReader, (windows: readonly ActivityWindow[]) => void>();
  const window = new Int16Array(windowSamples);
  let isDeaf = false;
  return {
    name: "fake",
    windowSamples,
    get watched() {
      return watches.size;
    },
    watch(heard, listener) {
      const reader = new RingReader(heard);
      watches.set(reader, listener);
      return () => {
        watches.delete(reader);
      };
    },
    look() {
      if (isDeaf) return;
      for (const [reader, listener] of watches) {
        const windows: ActivityWindow[] = [];
        while (reader.readFrame(window)) {
          windows.push({ endPosition: reader.position, probability: isSpeech(window) ? 1 : 0 });
        }
        if (windows.length > 0) listener(windows);
      }
    },
    goDeaf() {
      isDeaf = true;
    },
    async close() {
      watches.clear();
    },
  };
}

function isLoud(window: Int16Array): boolean {
  return rmsOf(window) > rmsAt(SPEECH_DBFS);
}
