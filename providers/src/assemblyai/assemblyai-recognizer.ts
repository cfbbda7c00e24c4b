import type { Clock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { RecognitionQuestion, RecognitionRequest, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import type { HeardWord } from "../speech/call-transcript.ts";
import { ForcedTurnEnds } from "../speech/forced-turn-ends.ts";
import {
  createStreamingRecognizer,
  numberIn,
  objectsIn,
  type StreamingCall,
  type StreamingConversation,
  usableTerms,
  type VendorMessage,
} from "../speech/streaming-recognizer.ts";
import type { ClosedBecause } from "../websocket/vendor-socket.ts";
import { readableDetail } from "../websocket/vendor-status.ts";

/** Needs `PARLEY_ASSEMBLYAI_API_KEY`. */
export interface AssemblyAiRecognizerOptions {
  readonly apiKey: string;
  readonly clock: Clock;
  /** By default the host in the United States; `https://streaming.eu.assemblyai.com` is another. */
  readonly baseUrl?: string;
  /** `universal-streaming` (the default) chooses between the English and the multilingual model. */
  readonly model?: string;
}

const PROVIDER = "assemblyai";
const BASE_URL = "https://streaming.assemblyai.com";
const MODEL = "universal-streaming";
const LANGUAGES: readonly string[] = ["de", "en", "es", "fr", "it", "pt"];

/** AssemblyAI takes audio in pieces of 50 to 1,000 ms. */
const CHUNK_MS = 50;
const BEGIN_WITHIN_MS = 5_000;
/** By AssemblyAI's documentation. */
const TERMS_MAX = 100;

/**
 * AssemblyAI's streaming transcription (`/v3/ws`), which finds turns by itself. A pause is reported as a probable end;
 * the end comes with the formatted text. The session is billed until it is terminated.
 */
export function createAssemblyAiRecognizer(options: AssemblyAiRecognizerOptions): SpeechRecognizer {
  const { apiKey, clock, baseUrl = BASE_URL } = options;
  const base = baseUrl.replace(/\/$/, "").replace(/^http/, "ws");
  return createStreamingRecognizer({
    ...{ provider: PROVIDER, title: "AssemblyAI", secrets: [apiKey], clock },
    chunkMs: CHUNK_MS,
    chunkMinMs: CHUNK_MS,
    explainClose: explainCode,
    address(request) {
      const query = new URLSearchParams({
        sample_rate: String(request.sampleRateHz),
        encoding: "pcm_s16le",
        format_turns: "true",
        ...modelParameters(options.model ?? MODEL, request.language),
      });
      const terms = usableTerms(request.terms, { countMax: TERMS_MAX });
      if (terms.length > 0) query.set("keyterms_prompt", JSON.stringify(terms));
      return { url: `${base}/v3/ws?${query}`, headers: { Authorization: apiKey } };
    },
    start: (call, request) => new AssemblyAiConversation(call, modelFor(options.model ?? MODEL, request), apiKey),
  });
}

function modelParameters(wanted: string, tag: string): Record<string, string> {
  const model = modelFor(wanted, { language: tag });
  const { language } = new Intl.Locale(tag);
  const isUnknown = model === "universal-streaming-english" ? language !== "en" : !LANGUAGES.includes(language);
  if (isUnknown && model !== "whisper-rt") {
    throw new ProviderError(PROVIDER, `AssemblyAI's model ${model} does not understand the language ${tag}.`, {
      retryable: false,
    });
  }
  if (model === "universal-streaming-multilingual") return { speech_model: model, language_detection: "true" };
  // The models of the third generation take the languages that are expected.
  if (/3|u3/.test(model)) return { speech_model: model, language_codes: JSON.stringify([language]) };
  return { speech_model: model };
}

function modelFor(wanted: string, { language }: Pick<RecognitionRequest, "language">): string {
  if (wanted !== MODEL) return wanted;
  return new Intl.Locale(language).language === "en" ? `${MODEL}-english` : `${MODEL}-multilingual`;
}

class AssemblyAiConversation implements StreamingConversation {
  readonly farewell = { type: "Terminate" };
  readonly #call: StreamingCall;
  readonly #apiKey: string;
  /** The end of a turn comes twice: as it was understood, and formatted. */
  readonly #formatsLater: boolean;
  readonly #ends: ForcedTurnEnds;
  #isBegun = false;
  #turnOrder = 0;
  #turnWords: readonly HeardWord[] = [];
  #turnLanguage: string | undefined;

  constructor(call: StreamingCall, model: string, apiKey: string) {
    this.#call = call;
    this.#formatsLater = model.startsWith("universal-streaming-");
    this.#apiKey = apiKey;
    this.#ends = new ForcedTurnEnds(call, () => call.send({ type: "ForceEndpoint" }));
  }

  async begin(): Promise<void> {
    if (await this.#call.until(() => this.#isBegun, BEGIN_WITHIN_MS)) return;
    throw new ProviderError(PROVIDER, "AssemblyAI did not start the session in time.", { retryable: true });
  }

  receive(message: VendorMessage): void {
    if (message.type === "Begin") this.#isBegun = true;
    else if (message.type === "Turn") this.#takeTurn(message);
    else if (message.type === "Error") throw this.#explainError(message);
  }

  complete(sentMs: number, question: RecognitionQuestion): Promise<void> {
    return this.#ends.complete(sentMs, question);
  }

  startUtterance(): void {
    this.#ends.startUtterance();
  }

  #takeTurn(message: VendorMessage): void {
    const order = numberIn(message, "turn_order");
    // A message that comes twice or late: its turn has ended.
    if (order < this.#turnOrder) return;
    if (order > this.#turnOrder) this.#endTurn(order);
    const words = objectsIn(message, "words").map(wordIn);
    const language = typeof message.language_code === "string" ? message.language_code : undefined;
    this.#turnWords = words;
    this.#turnLanguage = language;
    const { transcript, turns } = this.#call;
    const isOver = message.end_of_turn === true;
    if (isOver && (message.turn_is_formatted === true || !this.#formatsLater)) return this.#endTurn(order + 1);
    transcript.add(words, false, language);
    const isPause = typeof message.utterance === "string" && message.utterance !== "";
    if (isOver || isPause) turns.probableEnd(words, language);
    else turns.update(words, language);
  }

  /** Ends what is known of the current turn; `nextOrder` is the first turn of which more is expected. */
  #endTurn(nextOrder: number): void {
    this.#turnOrder = nextOrder;
    this.#call.transcript.add(this.#turnWords, true, this.#turnLanguage);
    this.#call.turns.end(this.#turnWords, this.#turnLanguage);
    this.#turnWords = [];
    this.#ends.noteEnd();
  }

  #explainError({ error_code: code, error }: VendorMessage): ProviderError {
    const detail = readableDetail(typeof error === "string" ? error : "", [this.#apiKey]);
    const { complaint, retryable } = explainCode(Number(code), detail) ?? {
      complaint: "reported a failure",
      retryable: true,
    };
    return new ProviderError(PROVIDER, `AssemblyAI ${complaint}${detail === "" ? "." : `: ${detail}`}`, { retryable });
  }
}

/** The codes with which AssemblyAI reports errors and closes connections. */
function explainCode(code: number, reason: string): ClosedBecause | null {
  // Policy: the key, or too many sessions at once.
  if (code === 1008 && /concurren|too many/i.test(reason)) return TOO_MANY;
  return COMPLAINTS[code] ?? null;
}

const REFUSED_KEY: ClosedBecause = { complaint: "refused the API key", retryable: false };
const NO_CREDIT: ClosedBecause = { complaint: "has no credit left on this account", retryable: false };
const TOO_MANY: ClosedBecause = { complaint: "takes no more sessions at the moment", retryable: true };
const TOO_LONG: ClosedBecause = { complaint: "ended the session, because it lasted too long", retryable: true };
const BAD_REQUEST: ClosedBecause = { complaint: "did not understand what was sent to it", retryable: false };
const BAD_AUDIO: ClosedBecause = { complaint: "received audio of a wrong length", retryable: false };

const COMPLAINTS: Readonly<Record<number, ClosedBecause>> = {
  1008: REFUSED_KEY,
  3005: { complaint: "has a failure of its own", retryable: true },
  3006: BAD_REQUEST,
  3007: BAD_AUDIO,
  3008: TOO_LONG,
  3009: TOO_MANY,
  4000: BAD_REQUEST,
  4001: REFUSED_KEY,
  4002: NO_CREDIT,
  4003: NO_CREDIT,
  4008: TOO_LONG,
  4029: TOO_MANY,
  4031: { complaint: "ended the session, because it received nothing", retryable: true },
  4032: BAD_AUDIO,
  4033: BAD_AUDIO,
  4034: BAD_AUDIO,
  4101: BAD_REQUEST,
  4102: TOO_MANY,
};

function wordIn(item: VendorMessage): HeardWord {
  if (typeof item.text !== "string") throw new TypeError("a word is not a text");
  const confidence = typeof item.confidence === "number" ? item.confidence : 1;
  return { text: item.text, startMs: numberIn(item, "start"), endMs: numberIn(item, "end"), confidence };
}
