import { decodeMulaw } from "@parley/audio/g711";
import type { Clock } from "@parley/time/clock";
import type { SpeechSynthesizer, SpeechVoice } from "@parley/voice/ports/speech-synthesizer";
import {
  type ContextMessage,
  type ContextSynthesizerOptions,
  createContextSynthesizer,
  samplesFromBytes,
  type TimedText,
  type VendorClause,
} from "../websocket/context-synthesizer.ts";
import { readableDetail, type VendorIdentity } from "../websocket/vendor-status.ts";
import { explainElevenLabsClose, explainElevenLabsError } from "./elevenlabs-errors.ts";

/** What an operator sets: `PARLEY_ELEVENLABS_API_KEY`, and the voices by their ids from ElevenLabs. */
export interface ElevenLabsSynthesizerOptions extends ContextSynthesizerOptions {
  readonly apiKey: string;
  readonly clock: Clock;
  /** By default the vendor's own host; a regional one is another. */
  readonly baseUrl?: string;
  readonly model?: string;
  /** How the line's 8 kHz are requested. Mu-law needs half the bandwidth, and is what most trunks carry anyway. */
  readonly telephoneFormat?: "pcm" | "mulaw";
  readonly voiceSettings?: ElevenLabsVoiceSettings;
}

/** Each from 0 to 1. What is not set is as the voice's owner has set it. */
interface ElevenLabsVoiceSettings {
  readonly stability?: number;
  readonly similarityBoost?: number;
  readonly style?: number;
  readonly useSpeakerBoost?: boolean;
}

const PROVIDER = "elevenlabs";
const BASE_URL = "https://api.elevenlabs.io";
/** The fastest model that speaks many languages. */
const MODEL = "eleven_flash_v2_5";
/** Of one connection, by ElevenLabs' documentation. */
const CONTEXTS_MAX = 5;
/** Longer than an unused connection is kept here, so that it is not ElevenLabs that ends it. */
const INACTIVITY_SECONDS = 180;
const SPEED_MIN = 0.7;
const SPEED_MAX = 1.2;

/** Voices of ElevenLabs on `multi-stream-input` connections: one per voice and rate, a context for each clause. */
export function createElevenLabsSynthesizer(options: ElevenLabsSynthesizerOptions): SpeechSynthesizer {
  const { apiKey, voiceSettings = {} } = options;
  const model = options.model ?? MODEL;
  const base = (options.baseUrl ?? BASE_URL).replace(/\/$/, "").replace(/^http/, "ws");
  const usesMulaw = options.telephoneFormat === "mulaw";
  const identity: VendorIdentity = { provider: PROVIDER, title: "ElevenLabs", secrets: [apiKey] };
  /** Rates by context: what arrives does not say how it is encoded. */
  const mulawContexts = new Set<string>();

  function addressOf(voice: SpeechVoice, sampleRateHz: number): string {
    const format = sampleRateHz === 8_000 && usesMulaw ? "ulaw_8000" : `pcm_${sampleRateHz}`;
    const query = new URLSearchParams({
      model_id: model,
      output_format: format,
      // Times come with the audio that they are about, and clauses are spoken without waiting for more text.
      sync_alignment: "true",
      auto_mode: "true",
      inactivity_timeout: String(INACTIVITY_SECONDS),
    });
    // Only some models take a language; to the others it is an error.
    if (/_v2_5$/.test(model) && voice.language !== "mul")
      query.set("language_code", new Intl.Locale(voice.language).language);
    return `${base}/v1/text-to-speech/${encodeURIComponent(voice.id)}/multi-stream-input?${query}`;
  }

  function begin({ contextId, text, pace, sampleRateHz }: VendorClause): readonly string[] {
    if (sampleRateHz === 8_000 && usesMulaw) mulawContexts.add(contextId);
    // What is undefined is not sent.
    const settings = {
      stability: voiceSettings.stability,
      similarity_boost: voiceSettings.similarityBoost,
      style: voiceSettings.style,
      use_speaker_boost: voiceSettings.useSpeakerBoost,
      speed: pace === 1 ? undefined : Math.min(SPEED_MAX, Math.max(SPEED_MIN, pace)),
    };
    const hasSettings = Object.values(settings).some((value) => value !== undefined);
    return [
      { text: " ", context_id: contextId, voice_settings: hasSettings ? settings : undefined },
      { text: `${text} `, context_id: contextId, flush: true },
      // What was flushed is still spoken; then the context ends.
      { context_id: contextId, close_context: true },
    ].map((message) => JSON.stringify(message));
  }

  function cancel(contextId: string): readonly string[] {
    mulawContexts.delete(contextId);
    return [JSON.stringify({ context_id: contextId, close_context: true })];
  }

  function read(data: string): readonly ContextMessage[] {
    const message = JSON.parse(data) as ServerMessage;
    const contextId = message.contextId ?? message.context_id ?? null;
    if (message.error !== undefined || message.code !== undefined) {
      const detail = readableDetail(String(message.message ?? message.error), identity.secrets);
      return [{ contextId, error: explainElevenLabsError(PROVIDER, String(message.error ?? ""), detail) }];
    }
    if (contextId === null) throw new TypeError("a message without a context");
    const isFinal = message.isFinal === true || message.is_final === true;
    const bytes = typeof message.audio === "string" ? Buffer.from(message.audio, "base64") : Buffer.alloc(0);
    const isMulaw = mulawContexts.has(contextId);
    if (isFinal) mulawContexts.delete(contextId);
    const samples = isMulaw ? new Int16Array(bytes.length) : samplesFromBytes(bytes);
    if (isMulaw) decodeMulaw(bytes, samples);
    // Counted from the beginning of the chunk that they came with.
    return [{ contextId, samples, words: charactersOf(message.alignment), timesCountFrom: "message", isFinal }];
  }

  return createContextSynthesizer(
    {
      ...identity,
      headers: { "xi-api-key": apiKey },
      contextsMax: CONTEXTS_MAX,
      explainClose: explainElevenLabsClose,
      addressOf,
      begin,
      cancel,
      read,
    },
    options,
  );
}

interface ServerMessage {
  readonly audio?: string | null;
  readonly isFinal?: boolean | null;
  readonly is_final?: boolean | null;
  readonly contextId?: string | null;
  readonly context_id?: string | null;
  readonly alignment?: Alignment | null;
  readonly error?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
}

/** The second spelling is what some of its servers send. */
interface Alignment {
  readonly chars?: readonly string[];
  readonly charStartTimesMs?: readonly number[];
  readonly charDurationsMs?: readonly number[];
  readonly charsDurationsMs?: readonly number[];
}

function charactersOf(alignment: Alignment | null | undefined): readonly TimedText[] {
  const { chars = [], charStartTimesMs: starts = [] } = alignment ?? {};
  const durations = alignment?.charDurationsMs ?? alignment?.charsDurationsMs ?? [];
  return chars.map((text, index) => {
    const startMs = starts[index];
    const durationMs = durations[index];
    if (typeof startMs !== "number" || typeof durationMs !== "number") throw new TypeError("characters without times");
    return { text, startMs, endMs: startMs + durationMs };
  });
}
