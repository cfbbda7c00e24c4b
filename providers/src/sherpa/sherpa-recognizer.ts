import { durationMsOf, samplesIn } from "@parley/audio/frame";
import { Pool } from "@parley/threads/pool";
import { ProcessHost } from "@parley/threads/process-host";
import type { WorkHost } from "@parley/threads/work-host";
import type { Clock } from "@parley/time/clock";
import { matchExpectedAnswer } from "@parley/voice/ports/expected-answer";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { Recognition, RecognizedWord, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import { toProviderError } from "../local/to-provider-error.ts";
import { UtteranceBuffer } from "../speech/utterance-buffer.ts";
import type { SherpaResult, SherpaWork } from "./sherpa-child.ts";
import { findSherpaLibrary, findSherpaModel, SHERPA } from "./sherpa-model.ts";

/** Needs `PARLEY_SHERPA_MODEL`, and `sherpa-onnx-node`, which the operator installs. */
export interface SherpaRecognizerOptions {
  /** The folder of the model. */
  readonly model: string;
  readonly clock: Clock;
  /** A process that is started or lost, for tests. */
  readonly onProcess?: (pid: number | undefined) => void;
}

/** What Whisper can hear at once. */
const UTTERANCE_MAX_MS = 29_000;
/** Most of it is for loading a model. A caller that cannot wait that long aborts earlier. */
const DEADLINE_MS = 30_000;
/** A process that is only slow must not be replaced: loading the model again would make every call wait longer. */
const STUCK_MS = 60_000;
const WAITING_MAX = 32;
/** Large models take long to load from a slow disk. */
const START_MAX_MS = 120_000;
/** A callee waits for the result. */
const STALLED_MS = 3_000;

/**
 * Recognition by sherpa-onnx with the operator's own model, in a child process that is replaced when it dies. Each
 * utterance is recognized at once when it is requested, also by streaming models.
 */
export function createSherpaRecognizer({ model, clock, onProcess }: SherpaRecognizerOptions): SpeechRecognizer {
  const pool = new Pool<SherpaWork, SherpaResult>({
    toError: toProviderError(SHERPA),
    openHost,
    hostsMax: 1,
    waitingMax: WAITING_MAX,
    deadlineMs: DEADLINE_MS,
    stuckMs: STUCK_MS,
    timers: clock,
  });

  let loading: Promise<unknown> | null = null;

  /** Loads the model before the first callee speaks. Rejects if it cannot be loaded. */
  async function load(): Promise<void> {
    findSherpaLibrary(model);
    await findSherpaModel(model);
    loading ??= pool.run({ samples: new Int16Array(samplesIn(1_000)) });
    try {
      await loading;
    } catch (error) {
      loading = null;
      throw error;
    }
  }

  async function openHost(signal: AbortSignal): Promise<WorkHost<SherpaWork, SherpaResult>> {
    const host = new ProcessHost<SherpaWork, SherpaResult>(new URL("./sherpa-child.ts", import.meta.url), {
      name: "the process of sherpa-onnx",
      timers: clock,
      args: [model],
      startMaxMs: START_MAX_MS,
      stalledMs: STALLED_MS,
    });
    onProcess?.(host.pid);
    const end = () => void host.end();
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    try {
      await host.ready;
      return host;
    } catch (cause) {
      const message = `sherpa-onnx could not load the model in ${model}. What it wrote is in the log of this service.`;
      throw new ProviderError(SHERPA, message, { retryable: false, cause });
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  return {
    name: SHERPA,
    async open({ sampleRateHz }) {
      await load();
      const utterance = new UtteranceBuffer(sampleRateHz, UTTERANCE_MAX_MS);
      const closed = new AbortController();
      return {
        hear: (samples) => utterance.add(samples),
        startUtterance: () => utterance.clear(),
        async recognize({ expected, isGuess, signal }) {
          const samples = utterance.copy();
          const ends = signal === undefined ? closed.signal : AbortSignal.any([signal, closed.signal]);
          const result = await pool.run({ samples }, { priority: isGuess ? "ahead" : "urgent", signal: ends });
          return toRecognition(result, expected, durationMsOf(samples.length));
        },
        close: () => closed.abort(new ProviderError(SHERPA, "The call is over.", { retryable: false })),
      };
    },
    close: () => pool.close(),
  };
}

function toRecognition(result: SherpaResult, expected: readonly string[], durationMs: number): Recognition {
  const text = readable(result.text ?? "");
  // SenseVoice writes <|en|>.
  const language = /[a-z]{2,3}/.exec(result.lang ?? "")?.[0];
  return {
    text,
    words: wordsOf(result, durationMs),
    best: matchExpectedAnswer(text, expected),
    confidence: null,
    ...(language === undefined ? {} : { language }),
  };
}

/** Many transducers know capital letters only. */
function readable(text: string): string {
  const trimmed = text.trim();
  return trimmed === trimmed.toUpperCase() ? trimmed.toLowerCase() : trimmed;
}

/** Tokens joined to words: a space or the sign of SentencePiece begins the next one. */
function wordsOf({ tokens = [], timestamps = [] }: SherpaResult, durationMs: number): RecognizedWord[] {
  if (tokens.length !== timestamps.length) return [];
  const words: { text: string; startMs: number; endMs: number }[] = [];
  for (const [index, token] of tokens.entries()) {
    const startMs = Math.min(durationMs, (timestamps[index] ?? 0) * 1000);
    const endMs = Math.min(durationMs, (timestamps[index + 1] ?? durationMs / 1000) * 1000);
    const current = words.at(-1);
    const piece = token.replaceAll("▁", " ");
    if (current === undefined || piece.startsWith(" ")) words.push({ text: piece.trim(), startMs, endMs });
    else {
      current.text += piece;
      current.endMs = Math.max(current.endMs, endMs);
    }
  }
  return words
    .filter(({ text, startMs, endMs }) => text !== "" && endMs > startMs)
    .map((word) => ({ ...word, text: readable(word.text) }));
}
