import type { MessagePort } from "node:worker_threads";
import { startRankerThread } from "@parley/providers/local/intents/ranker-thread";
import { startJudgeThread } from "@parley/providers/local/judge/judge-thread";
import { type RecognitionLoad, startRecognizerThread } from "@parley/providers/local/stt/recognizer-thread";
import { startVadThread, type VadThread } from "@parley/providers/local/vad/vad-thread";
import type { ConversationSettings } from "../../platform/config/conversation-settings.ts";

/** The recognition models of this process: loaded once, on first use, and shared. */
export interface LocalSpeech {
  /** A connection to recognition for one thread. Rejects with a readable reason if unavailable; the next call retries. */
  connectRecognizer(): Promise<MessagePort>;
  /** A connection to speech detection for one thread. */
  connectVad(): Promise<MessagePort>;
  /** A connection to the intent ranking, for one thread. */
  connectRanker(): Promise<MessagePort>;
  /** A connection to the judge of answers, for one thread. */
  connectJudge(): Promise<MessagePort>;
  /** What recognition and speech detection have to do; null before they are loaded. Loads nothing. */
  load(): Promise<SpeechLoad | null>;
  close(): Promise<void>;
}

interface SpeechLoad {
  /** The speed of one process when it was started. */
  readonly secondsOfSpeechPerSecond: number;
  readonly recognition: RecognitionLoad;
  /** How late speech detection was since the last time. */
  readonly detectionLateMs: number;
}

export interface LocalSpeechDeps extends Pick<ConversationSettings, "speechModel" | "speechProcesses"> {
  /** The speed of the machine, once measured. `isSlow` when callees will notice. */
  onMeasured(speed: SpeechSpeed): void;
  onFailure(reason: string): void;
  readonly startRecognizer?: typeof startRecognizerThread;
  /** How much memory can still be used. */
  readonly availableBytes?: () => number;
  readonly startRanker?: typeof startRankerThread;
  readonly startJudge?: typeof startJudgeThread;
  readonly startVad?: (
    options: Parameters<typeof startVadThread>[0],
  ) => Promise<Pick<VadThread, "connect" | "lateMs" | "stop">>;
}

export interface SpeechSpeed {
  readonly model: "tiny" | "base";
  /** How many seconds of speech one process recognizes in a second. */
  readonly factor: number;
  readonly isSlow: boolean;
}

/** Below this three seconds of speech take half a second to recognize, and the answer is late. */
const SLOW_FACTOR = 6;
/** What the large model needs, and what is left for everything else. */
const LARGE_MODEL_BYTES = 450e6;
const SPARE_BYTES = 1e9;

export function openLocalSpeech(deps: LocalSpeechDeps): LocalSpeech {
  const { startRecognizer = startRecognizerThread, startVad = startVadThread } = deps;
  const { startRanker = startRankerThread, startJudge = startJudgeThread } = deps;
  const { availableBytes = () => process.availableMemory() } = deps;
  const { speechModel, speechProcesses: processes } = deps;
  const recognizer = openOnce(async () => {
    const size = speechModel === "auto" ? "tiny" : speechModel;
    const usesLarge = speechModel === "auto" && availableBytes() >= SPARE_BYTES + LARGE_MODEL_BYTES;
    const thread = await startRecognizer({ size, processes, usesLarge }, deps.onFailure);
    const factor = thread.secondsOfSpeechPerSecond;
    deps.onMeasured({ model: size, factor, isSlow: factor < SLOW_FACTOR });
    return thread;
  });
  const ranker = openOnce(async () => startRanker({ onFailure: deps.onFailure }));
  const judge = openOnce(async () => startJudge({ onFailure: deps.onFailure }));
  const vad = openOnce(() => startVad({ onFailure: deps.onFailure }));

  return {
    connectRecognizer: async () => (await recognizer.open()).connect(),
    connectVad: async () => (await vad.open()).connect(),
    connectRanker: async () => (await ranker.open()).connect(),
    connectJudge: async () => (await judge.open()).connect(),
    async load() {
      const [recognition, detection] = [recognizer.opened(), vad.opened()];
      if (recognition === null || detection === null) return null;
      const [load, detectionLateMs] = await Promise.all([recognition.load(), detection.lateMs()]);
      return { secondsOfSpeechPerSecond: recognition.secondsOfSpeechPerSecond, recognition: load, detectionLateMs };
    },
    async close() {
      await Promise.all([recognizer.close(), vad.close(), ranker.close(), judge.close()]);
    },
  };
}

/** Concurrent callers wait for the same opening; after a failure the next caller retries. */
function openOnce<T extends { stop(): Promise<void> }>(open: () => Promise<T>) {
  let opening: Promise<T> | null = null;
  let opened: T | null = null;
  return {
    open(): Promise<T> {
      opening ??= open().then(
        (result) => {
          opened = result;
          return result;
        },
        (error: unknown) => {
          opening = null;
          throw error;
        },
      );
      return opening;
    },
    opened: () => opened,
    async close(): Promise<void> {
      const [opened] = await Promise.allSettled(opening ? [opening] : []);
      if (opened?.status === "fulfilled") await opened.value.stop();
    },
  };
}
