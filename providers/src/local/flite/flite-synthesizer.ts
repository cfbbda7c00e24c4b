import { availableParallelism } from "node:os";
import { Pool } from "@parley/threads/pool";
import type { WorkHost } from "@parley/threads/work-host";
import { WorkerHost } from "@parley/threads/worker-host";
import { systemClock, type Timers } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { readClause, type SpokenPart } from "@parley/voice/ports/speech-notation";
import type { SpeechRequest, SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { toProviderError } from "../to-provider-error.ts";
import { type Clause, fliteModulePath, loadFliteModule } from "./flite-module.ts";
import { DEFAULT_FLITE_VOICE, FLITE_VOICES, isFliteVoice } from "./flite-voices.ts";
import type { WasmModule } from "./memory-system.ts";
import { readableText } from "./readable-text.ts";
import { hasIpaSymbols, respellIpa } from "./respell-ipa.ts";

export interface FliteOptions {
  /**
   * The maximum number of speaking threads; one of them keeps up with some thirty voices that speak without a pause.
   */
  readonly threadsMax?: number;
  /** Clauses that may wait for a thread. A clause takes about a tenth of a second. */
  readonly waitingMax?: number;
  /** From the request to the first audio. */
  readonly deadlineMs?: number;
  /** The program, if it is not the installed one. It must be identical. */
  readonly modulePath?: string;
  readonly timers?: Timers;
  /** A speaking thread was lost and is replaced; its clause is repeated by the next one. */
  readonly onThreadLost?: (reason: string) => void;
  readonly openThread?: (module: WasmModule) => WorkHost<Clause, Int16Array>;
}

export interface FliteSynthesizer extends SpeechSynthesizer {
  /**
   * Loads the program and speaks a word that is discarded, so that the first request finds a warm thread. Rejects with
   * a ProviderError when the program is missing or altered.
   */
  prepare(): Promise<void>;
}

const NAME = "flite";
const DEADLINE_MS = 4_000;
/** Many calls that begin together have their greetings and likely replies rendered at once. */
const WAITING_MAX = 256;
/** Longer than any clause. Anything longer is an essay, and would keep others waiting. */
const TEXT_MAX = 1_000;

/** Flite, a small synthesizer for English, on threads of its own. It needs no key, no network and no other file. */
export function createFliteSynthesizer(options: FliteOptions = {}): FliteSynthesizer {
  const open = options.openThread ?? openFliteThread;
  const load = loadOnce(options.modulePath);
  const pool = new Pool<Clause, Int16Array>({
    toError: toProviderError(NAME),
    openHost: async () => open(await load()),
    hostsMax: options.threadsMax ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    waitingMax: options.waitingMax ?? WAITING_MAX,
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    timers: options.timers ?? systemClock,
    ...(options.onThreadLost ? { onHostLost: options.onThreadLost } : {}),
  });
  return {
    name: NAME,
    voices: FLITE_VOICES,
    async prepare() {
      await pool.run({ text: "Hello.", voiceId: DEFAULT_FLITE_VOICE, sampleRateHz: 8_000, pace: 1, pauseMs: 0 });
    },
    async *speak(request) {
      request.signal?.throwIfAborted();
      const samples = await pool.run(clauseOf(request), {
        signal: request.signal,
        priority: request.isAhead ? "ahead" : "urgent",
      });
      request.signal?.throwIfAborted();
      if (samples.length > 0) yield samples;
      request.signal?.throwIfAborted();
    },
    close: () => pool.close(),
  };
}

/** The compiled program is shared with the thread, not copied. */
export function openFliteThread(module: WasmModule): WorkHost<Clause, Int16Array> {
  const program = new URL("./flite-worker.ts", import.meta.url);
  return new WorkerHost(program, { name: "flite", workerData: { module } });
}

function clauseOf({ text, voiceId, sampleRateHz }: SpeechRequest): Clause {
  if (!isFliteVoice(voiceId)) throw refuse(`there is no voice ${JSON.stringify(voiceId)}`);
  if (text.length > TEXT_MAX) throw refuse(`a clause of ${text.length} characters is longer than ${TEXT_MAX}`);
  const { parts, pace, pauseMs } = readClause(text);
  const readable = readableText(parts.map(writtenOf).join(""));
  if (readable === null) throw refuse("the text has no letter that an English voice could read");
  return { text: readable, voiceId, sampleRateHz, pace, pauseMs };
}

/** Flite takes no phonemes: it reads a respelling, also of IPA, and where there is none, the word as it is written. */
function writtenOf(part: SpokenPart): string {
  if (part.type === "text") return part.text;
  if (part.type === "emphasis") return part.word;
  const { written, spoken } = part;
  if (spoken.startsWith("/") || hasIpaSymbols(spoken)) return respellIpa(spoken.toLowerCase()) ?? written;
  return spoken.toLowerCase().replaceAll("-", "");
}

function refuse(message: string, cause?: unknown): ProviderError {
  return new ProviderError(NAME, `${NAME}: ${message}`, { retryable: false, cause });
}

/** All threads share the compiled program. A failure is not cached: the operator may have repaired the installation. */
function loadOnce(path: string | undefined): () => Promise<WasmModule> {
  let loading: Promise<WasmModule> | null = null;
  return async () => {
    loading ??= loadFliteModule(path ?? fliteModulePath());
    try {
      return await loading;
    } catch (error) {
      loading = null;
      throw refuse(error instanceof Error ? error.message : String(error), error);
    }
  };
}
