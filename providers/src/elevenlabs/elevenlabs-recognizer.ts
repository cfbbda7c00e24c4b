import type { Clock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { RecognitionQuestion, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import type { HeardWord } from "../speech/call-transcript.ts";
import { ForcedTurnEnds } from "../speech/forced-turn-ends.ts";
import {
  createStreamingRecognizer,
  objectsIn,
  type StreamingCall,
  type StreamingConversation,
  usableTerms,
  type VendorMessage,
} from "../speech/streaming-recognizer.ts";
import { readableDetail, type VendorIdentity } from "../websocket/vendor-status.ts";
import { explainElevenLabsClose, explainElevenLabsError, isElevenLabsError } from "./elevenlabs-errors.ts";

/** Needs `PARLEY_ELEVENLABS_API_KEY`. */
export interface ElevenLabsRecognizerOptions {
  readonly apiKey: string;
  readonly clock: Clock;
  /** By default the vendor's own host; a regional one is another. */
  readonly baseUrl?: string;
  readonly model?: string;
}

const PROVIDER = "elevenlabs";
const BASE_URL = "https://api.elevenlabs.io";
const MODEL = "scribe_v2_realtime";
/** Silence after which Scribe commits a text, which ends the turn. It takes 0.3 to 3 seconds. */
const COMMIT_SILENCE_SECONDS = 0.5;
const BEGIN_WITHIN_MS = 5_000;
/** The first partial text comes about this long after the first word has begun. */
const FIRST_PARTIAL_MS = 600;
/** Further ones, and longer ones, are refused. */
const TERMS = { countMax: 50, lengthMax: 20 } as const;

/**
 * ElevenLabs' real-time transcription (Scribe) in 90 languages. It commits what was said after half a second of silence,
 * or on request; words have times only then.
 */
export function createElevenLabsRecognizer(options: ElevenLabsRecognizerOptions): SpeechRecognizer {
  const { apiKey, clock, model = MODEL } = options;
  const identity: VendorIdentity = { provider: PROVIDER, title: "ElevenLabs", secrets: [apiKey] };
  const base = (options.baseUrl ?? BASE_URL).replace(/\/$/, "").replace(/^http/, "ws");
  return createStreamingRecognizer({
    ...identity,
    clock,
    chunkMs: 60,
    encode: (samples, sampleRateHz) => JSON.stringify(audioMessage(samples, sampleRateHz)),
    explainClose: explainElevenLabsClose,
    address({ language, sampleRateHz, terms }) {
      const query = new URLSearchParams({
        model_id: model,
        audio_format: `pcm_${sampleRateHz}`,
        language_code: new Intl.Locale(language).language,
        commit_strategy: "vad",
        vad_silence_threshold_secs: String(COMMIT_SILENCE_SECONDS),
        include_timestamps: "true",
        include_language_detection: "true",
      });
      for (const term of usableTerms(terms, TERMS)) query.append("keyterms", term);
      return { url: `${base}/v1/speech-to-text/realtime?${query}`, headers: { "xi-api-key": apiKey } };
    },
    start: (call, { sampleRateHz }) => new ScribeConversation(call, identity, sampleRateHz),
  });
}

function audioMessage(samples: Int16Array, sampleRateHz: number, commit = false): object {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return {
    message_type: "input_audio_chunk",
    audio_base_64: bytes.toString("base64"),
    commit,
    sample_rate: sampleRateHz,
  };
}

class ScribeConversation implements StreamingConversation {
  readonly #call: StreamingCall;
  readonly #identity: VendorIdentity;
  readonly #ends: ForcedTurnEnds;
  #isBegun = false;
  /** Where the text that is not committed yet probably begins; null before its first words. */
  #partialFromMs: number | null = null;
  #committedMs = 0;

  constructor(call: StreamingCall, identity: VendorIdentity, sampleRateHz: number) {
    this.#call = call;
    this.#identity = identity;
    this.#ends = new ForcedTurnEnds(call, () => call.send(audioMessage(new Int16Array(0), sampleRateHz, true)));
  }

  async begin(): Promise<void> {
    if (await this.#call.until(() => this.#isBegun, BEGIN_WITHIN_MS)) return;
    throw new ProviderError(PROVIDER, "ElevenLabs did not start the session in time.", { retryable: true });
  }

  receive(message: VendorMessage): void {
    const type = String(message.message_type);
    if (type === "session_started") this.#isBegun = true;
    else if (type === "partial_transcript") this.#takePartial(textIn(message), false);
    // Its words and their times come in another message.
    else if (type === "committed_transcript") this.#takePartial(textIn(message), true);
    else if (type === "committed_transcript_with_timestamps") this.#takeCommitted(message);
    // There was too little audio to commit.
    else if (type === "commit_throttled") this.#ends.noteEnd();
    else if (isElevenLabsError(type)) {
      const detail = readableDetail(String(message.error ?? ""), this.#identity.secrets);
      throw explainElevenLabsError(PROVIDER, type, detail);
    }
  }

  complete(sentMs: number, question: RecognitionQuestion): Promise<void> {
    return this.#ends.complete(sentMs, question);
  }

  startUtterance(): void {
    this.#ends.startUtterance();
  }

  #takePartial(text: string, isCommitted: boolean): void {
    const { transcript, turns } = this.#call;
    const words = this.#spread(text);
    transcript.add(words, false);
    if (isCommitted) turns.probableEnd(words);
    else turns.update(words);
  }

  #takeCommitted(message: VendorMessage): void {
    const text = textIn(message);
    const timed = message.words == null ? [] : objectsIn(message, "words").flatMap(wordIn);
    const words = timed.length > 0 ? timed : this.#spread(text);
    const language = languageIn(message);
    this.#committedMs = Math.max(this.#committedMs, words.at(-1)?.endMs ?? 0);
    this.#partialFromMs = null;
    this.#call.transcript.add(words, true, language);
    this.#call.turns.end(words, language);
    this.#ends.noteEnd();
  }

  /** Words without times, evenly over the audio that they may be in. */
  #spread(text: string): HeardWord[] {
    const words = text.split(/\s+/).filter((word) => word !== "");
    if (words.length === 0) return [];
    const { sentMs } = this.#call;
    this.#partialFromMs ??= Math.max(this.#committedMs, sentMs - FIRST_PARTIAL_MS);
    const fromMs = Math.min(this.#partialFromMs, sentMs);
    const stepMs = (sentMs - fromMs) / words.length;
    return words.map((word, index) => ({
      text: word,
      startMs: fromMs + index * stepMs,
      endMs: fromMs + (index + 1) * stepMs,
      confidence: 1,
    }));
  }
}

function textIn({ text }: VendorMessage): string {
  if (typeof text !== "string") throw new TypeError("there is no text");
  return text;
}

/** Scribe lists the spaces between words too. Sounds such as laughter are no words. */
function wordIn({ type, text, start, end, logprob }: VendorMessage): HeardWord[] {
  if (type !== undefined && type !== "word") return [];
  if (typeof text !== "string" || typeof start !== "number" || typeof end !== "number") {
    throw new TypeError("a word has no text or no time");
  }
  const confidence = typeof logprob === "number" ? Math.exp(Math.min(0, logprob)) : 1;
  return text.trim() === "" ? [] : [{ text: text.trim(), startMs: start * 1000, endMs: end * 1000, confidence }];
}

/** Scribe uses codes of two and of three letters. */
function languageIn({ language_code: code }: VendorMessage): string | undefined {
  if (typeof code !== "string" || !/^[a-z]{2,3}$/.test(code)) return undefined;
  return new Intl.Locale(code).language;
}
