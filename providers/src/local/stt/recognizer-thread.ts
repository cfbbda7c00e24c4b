import type { MessagePort } from "node:worker_threads";
import type { WorkPriority } from "@parley/threads/pool";
import { connectPort } from "@parley/threads/port-requests";
import { startServiceThread } from "@parley/threads/service-thread";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { Recognition, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import { UtteranceBuffer } from "../../speech/utterance-buffer.ts";
import type { MoonshineSize } from "./moonshine-weights.ts";
import { UTTERANCE_MAX_MS } from "./prepare-utterance.ts";
import type { UtteranceWork } from "./recognize-utterance.ts";

export interface RecognizerOptions {
  readonly size: MoonshineSize;
  readonly processes: number;
  /** Also loads the large model, and uses it for each utterance for which the machine has room at that moment. */
  readonly usesLarge?: boolean;
  /** From the request to the result. Defaults to 8 seconds. */
  readonly deadlineMs?: number;
}

/** What the thread reports when its first process is loaded. */
export interface RecognizerReady {
  readonly secondsOfSpeechPerSecond: number;
}

/** What the recognizers have done since they were started, and what waits for them. */
export interface RecognitionLoad {
  readonly processes: number;
  /**
   * How long nine of ten requests of conversations waited for a process in the last seconds, or how long one has been worked on beyond the
   * duration of its speech, if that is longer.
   */
  readonly lateMs: number;
  /** The speech in all requests. */
  readonly requestedMs: number;
  /** The speech that was recognized with the small model. */
  readonly speechMs: number;
  /** How long processes worked on that, on the wall clock: a busy machine takes longer. */
  readonly workMs: number;
}

/** Process ids and listeners are for tests: one kills a process, and one checks whether anything is left. */
export interface RecognizerAnswers {
  readonly load: RecognitionLoad;
  readonly processIds: readonly number[];
  readonly listeners: number;
}

/** The recognizing processes of this program, shared by all conversations. */
export interface RecognizerThread {
  /** How many seconds of speech one process recognizes in a second. */
  readonly secondsOfSpeechPerSecond: number;
  /** A port to them for one thread, to be passed to `connectRecognizer` there. */
  connect(): MessagePort;
  load(): Promise<RecognitionLoad>;
  processIds(): Promise<readonly number[]>;
  /** How many threads are connected. */
  countListeners(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Resolves when speech can be recognized, before the large model is loaded. Rejects when the weights are missing or the
 * machine cannot run them. `onProblem` is called if only the large model cannot be used.
 */
export async function startRecognizerThread(
  setup: RecognizerOptions,
  onProblem?: (reason: string) => void,
): Promise<RecognizerThread> {
  const thread = startServiceThread<RecognizerReady, RecognizerAnswers>(
    new URL("./recognizer-worker.ts", import.meta.url),
    {
      name: "recognizer",
      workerData: setup,
      ...(onProblem === undefined ? {} : { onProblem }),
    },
  );
  try {
    const { secondsOfSpeechPerSecond } = await thread.ready;
    return {
      secondsOfSpeechPerSecond,
      connect: () => thread.connect(),
      load: () => thread.ask("load"),
      processIds: () => thread.ask("processIds"),
      countListeners: () => thread.ask("listeners"),
      stop: () => thread.stop(),
    };
  } catch (error) {
    await thread.stop();
    throw error;
  }
}

const PROVIDER = "moonshine";

/** What a conversation sends over its port. */
export interface RecognitionRequest {
  readonly work: UtteranceWork;
  readonly priority: WorkPriority;
}

/**
 * The recognizer as one thread uses it, over a port from `RecognizerThread.connect`. In the background it waits until no other thread needs
 * recognition.
 */
export function connectRecognizer(port: MessagePort, { isBackground = false } = {}): SpeechRecognizer {
  const client = connectPort<RecognitionRequest, Recognition | null>(
    port,
    (reason, retryable) => new ProviderError(PROVIDER, reason, { retryable }),
  );

  async function recognize(request: RecognitionRequest, signal: AbortSignal): Promise<Recognition> {
    const recognition = await client.request(request, signal);
    if (recognition === null) throw new ProviderError(PROVIDER, "it was cancelled", { retryable: true });
    return recognition;
  }

  return {
    name: PROVIDER,
    async open({ language, sampleRateHz }) {
      if (!/^en\b/i.test(language)) {
        throw new ProviderError(PROVIDER, `the local recognizer knows English only, not ${language}`, {
          retryable: false,
        });
      }
      const utterance = new UtteranceBuffer(sampleRateHz, UTTERANCE_MAX_MS);
      const closed = new AbortController();
      return {
        hear: (samples) => utterance.add(samples),
        startUtterance: () => utterance.clear(),
        recognize({ expected, isSpeechCertain, isGuess, signal }) {
          const work = { samples: utterance.copy(), expected, isSpeechCertain };
          const either = signal === undefined ? closed.signal : AbortSignal.any([signal, closed.signal]);
          return recognize({ work, priority: isBackground ? "background" : isGuess ? "ahead" : "urgent" }, either);
        },
        close: () => closed.abort(new ProviderError(PROVIDER, "the call is over", { retryable: false })),
      };
    },
    async close() {
      client.close();
    },
  };
}
