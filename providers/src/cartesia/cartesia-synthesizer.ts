import type { Clock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import {
  type ContextMessage,
  type ContextSynthesizerOptions,
  createContextSynthesizer,
  samplesFromBytes,
  type TimedText,
  type VendorClause,
} from "../websocket/context-synthesizer.ts";
import { explainVendorStatus, type VendorIdentity } from "../websocket/vendor-status.ts";

/** What an operator sets: `PARLEY_CARTESIA_API_KEY`, and the voices by their ids from Cartesia. */
export interface CartesiaSynthesizerOptions extends ContextSynthesizerOptions {
  readonly apiKey: string;
  readonly clock: Clock;
  /** By default the vendor's own host. */
  readonly baseUrl?: string;
  readonly model?: string;
}

const PROVIDER = "cartesia";
const BASE_URL = "https://api.cartesia.ai";
const MODEL = "sonic-3";
/** The protocol of this date, which Cartesia keeps as it is. */
const VERSION = "2026-08-14";
/** Calls share connections; what an account renders at once is limited by its plan, not by the connection. */
const CONTEXTS_MAX = 10;
const SPEED_MIN = 0.6;
const SPEED_MAX = 1.5;

/** Voices of Cartesia on connections that all voices share, with a context for each clause. */
export function createCartesiaSynthesizer(options: CartesiaSynthesizerOptions): SpeechSynthesizer {
  const { apiKey, clock } = options;
  const model = options.model ?? MODEL;
  const base = (options.baseUrl ?? BASE_URL).replace(/\/$/, "").replace(/^http/, "ws");
  const identity: VendorIdentity = { provider: PROVIDER, title: "Cartesia", secrets: [apiKey] };

  function begin({ contextId, text, voice, pace, sampleRateHz }: VendorClause): readonly string[] {
    const speed = Math.min(SPEED_MAX, Math.max(SPEED_MIN, pace));
    return [
      JSON.stringify({
        context_id: contextId,
        model_id: model,
        transcript: text,
        voice: { mode: "id", id: voice.id },
        // Left out, it is the language that the voice was made in.
        language: voice.language === "mul" ? undefined : new Intl.Locale(voice.language).language,
        output_format: { container: "raw", encoding: "pcm_s16le", sample_rate: sampleRateHz },
        add_timestamps: true,
        // The times of the words as they were sent, not as they were written out.
        use_normalized_timestamps: false,
        generation_config: pace === 1 ? undefined : { speed },
        continue: false,
      }),
    ];
  }

  function read(data: string): readonly ContextMessage[] {
    const message = JSON.parse(data) as ServerMessage;
    const contextId = message.context_id ?? null;
    switch (message.type) {
      case "chunk":
        return [{ contextId, samples: samplesFromBytes(Buffer.from(message.data ?? "", "base64")) }];
      case "timestamps":
        return [{ contextId, words: wordsOf(message.word_timestamps), timesCountFrom: "clause" }];
      case "done":
        return [{ contextId, isFinal: true }];
      case "error":
        return [{ contextId, error: errorOf(message) }];
      default:
        return [];
    }
  }

  function errorOf(message: ServerMessage): ProviderError {
    const status = message.status_code ?? 500;
    const body = message.message ?? message.error ?? message.title ?? "";
    if (message.error_code === "quota_exceeded" || status === 402) {
      return new ProviderError(PROVIDER, "Cartesia has no credit left on this account.", { retryable: false });
    }
    return explainVendorStatus(identity, { status, headers: {}, body, nowMs: clock.now() });
  }

  return createContextSynthesizer(
    {
      ...identity,
      headers: { Authorization: `Bearer ${apiKey}`, "Cartesia-Version": VERSION },
      contextsMax: CONTEXTS_MAX,
      explainClose: () => null,
      addressOf: () => `${base}/tts/websocket`,
      begin,
      cancel: (contextId) => [JSON.stringify({ context_id: contextId, cancel: true })],
      read,
    },
    options,
  );
}

interface ServerMessage {
  readonly type?: string;
  readonly context_id?: string | null;
  readonly data?: string;
  readonly word_timestamps?: WordTimestamps | null;
  readonly status_code?: number;
  readonly error_code?: string;
  readonly message?: string;
  readonly title?: string;
  /** Of older versions. */
  readonly error?: string;
}

/** In seconds from the beginning of the context. */
interface WordTimestamps {
  readonly words: readonly string[];
  readonly start: readonly number[];
  readonly end: readonly number[];
}

function wordsOf(timestamps: WordTimestamps | null | undefined): readonly TimedText[] {
  const { words = [], start = [], end = [] } = timestamps ?? {};
  return words.map((word, index) => {
    const from = start[index];
    const to = end[index];
    if (typeof from !== "number" || typeof to !== "number") throw new TypeError("words without times");
    return { text: `${word} `, startMs: 1_000 * from, endMs: 1_000 * to };
  });
}
