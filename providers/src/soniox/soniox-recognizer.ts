import type { Clock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { RecognitionQuestion, RecognitionRequest, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import type { HeardWord } from "../speech/call-transcript.ts";
import {
  createStreamingRecognizer,
  numberIn,
  objectsIn,
  type StreamingCall,
  type StreamingConversation,
  usableTerms,
  type VendorMessage,
} from "../speech/streaming-recognizer.ts";
import { explainVendorStatus, type VendorIdentity } from "../websocket/vendor-status.ts";
import { SONIOX_LANGUAGES } from "./soniox-languages.ts";

/** Needs `PARLEY_SONIOX_API_KEY`. */
export interface SonioxRecognizerOptions {
  readonly apiKey: string;
  readonly clock: Clock;
  /** By default the host in the United States; `https://stt-rt.eu.soniox.com` is another. */
  readonly baseUrl?: string;
  readonly model?: string;
}

const PROVIDER = "soniox";
const BASE_URL = "https://stt-rt.soniox.com";
const MODEL = "stt-rt-v5";

/** Soniox closes connections that receive nothing for twenty seconds. */
const KEEP_ALIVE_EVERY_MS = 8_000;
/** Silence after which a turn is over, even if the sentence is not. Soniox takes 500 to 3,000 ms. */
const ENDPOINT_WITHIN_MS = 1_000;
const FINALIZE_WITHIN_MS = 1_000;
/** Results may end a little before the audio does. */
const COVERED_TOLERANCE_MS = 20;
/** Soniox takes a context of several thousand characters; further terms are of little use. */
const TERMS_MAX = 100;
/** A turn of more tokens than this is ended, so that a call without a pause stays small. */
const TURN_TOKENS_MAX = 2_000;

/** Tokens that are no text: the end of a turn, and the answer to `finalize`. */
const END_TOKEN = "<end>";
const FIN_TOKEN = "<fin>";

/** Soniox' real-time transcription in 60 languages, which identifies the language and finds the ends of turns. */
export function createSonioxRecognizer(options: SonioxRecognizerOptions): SpeechRecognizer {
  const { apiKey, clock, model = MODEL, baseUrl = BASE_URL } = options;
  const identity: VendorIdentity = { provider: PROVIDER, title: "Soniox", secrets: [apiKey] };
  const base = baseUrl.replace(/\/$/, "").replace(/^http/, "ws");
  return createStreamingRecognizer({
    ...identity,
    clock,
    chunkMs: 60,
    keepAlive: { everyMs: KEEP_ALIVE_EVERY_MS, message: { type: "keepalive" } },
    address({ language }) {
      languageHint(language);
      return { url: `${base}/transcribe-websocket`, headers: { Authorization: `Bearer ${apiKey}` } };
    },
    start: (call, request) => new SonioxConversation(call, identity, clock, sessionOf(model, request)),
  });
}

function sessionOf(model: string, { language, sampleRateHz, terms }: RecognitionRequest): object {
  const usable = usableTerms(terms, { countMax: TERMS_MAX });
  return {
    model,
    audio_format: "pcm_s16le",
    sample_rate: sampleRateHz,
    num_channels: 1,
    language_hints: [languageHint(language)],
    enable_language_identification: true,
    enable_endpoint_detection: true,
    max_endpoint_delay_ms: ENDPOINT_WITHIN_MS,
    ...(usable.length > 0 ? { context: { terms: usable } } : {}),
  };
}

function languageHint(tag: string): string {
  const { language } = new Intl.Locale(tag);
  const code = language === "nb" || language === "nn" ? "no" : language === "fil" ? "tl" : language;
  if (SONIOX_LANGUAGES.includes(code)) return code;
  throw new ProviderError(PROVIDER, `Soniox does not understand the language ${tag}.`, { retryable: false });
}

/** A piece of a word. */
interface Token extends HeardWord {
  readonly language: string | undefined;
}

class SonioxConversation implements StreamingConversation {
  readonly #call: StreamingCall;
  readonly #identity: VendorIdentity;
  readonly #clock: Clock;
  readonly #session: object;
  /** The final tokens of the current turn. */
  #tokens: readonly Token[] = [];
  /** The last final token, also of an earlier turn. */
  #newest: Token | null = null;
  /** Audio up to here has its final tokens. */
  #coveredMs = 0;
  #finalizesSent = 0;
  #finalizesAnswered = 0;

  constructor(call: StreamingCall, identity: VendorIdentity, clock: Clock, session: object) {
    this.#call = call;
    this.#identity = identity;
    this.#clock = clock;
    this.#session = session;
  }

  /** Soniox does not confirm the settings; it reports what is wrong with them. */
  async begin(): Promise<void> {
    this.#call.send(this.#session);
  }

  receive(message: VendorMessage): void {
    if ("error_code" in message || "error_message" in message) throw this.#explainError(message);
    if (!("tokens" in message)) return;
    const provisional: Token[] = [];
    for (const item of objectsIn(message, "tokens")) {
      if (item.text === END_TOKEN) this.#endTurn();
      else if (item.text === FIN_TOKEN) {
        this.#endTurn();
        // Never ahead of the requests, if an answer comes twice.
        this.#finalizesAnswered = Math.min(this.#finalizesAnswered + 1, this.#finalizesSent);
      } else if (item.is_final === true) this.#settle(tokenIn(item));
      else provisional.push(tokenIn(item));
    }
    this.#coveredMs = Math.max(this.#coveredMs, numberIn(message, "final_audio_proc_ms"));
    if (this.#tokens.length > TURN_TOKENS_MAX) this.#endTurn();
    const all = [...this.#tokens, ...provisional];
    const words = wordsOf(all);
    const language = languageOf(all);
    this.#call.transcript.add(words, false, language);
    this.#call.turns.update(words, language);
  }

  async complete(sentMs: number, question: RecognitionQuestion): Promise<void> {
    const isCovered = () => this.#coveredMs >= sentMs - COVERED_TOLERANCE_MS;
    if (isCovered()) return;
    this.#call.send({ type: "finalize" });
    this.#finalizesSent += 1;
    const request = this.#finalizesSent;
    const isDone = () => this.#finalizesAnswered >= request;
    if (await this.#call.until(isDone, FINALIZE_WITHIN_MS, question.signal)) {
      this.#coveredMs = Math.max(this.#coveredMs, sentMs);
    } else this.#call.throwIfMissed(question);
  }

  #settle(token: Token): void {
    const newest = this.#newest;
    const isLate = newest !== null && token.startMs < newest.startMs;
    const isRepeated = newest !== null && token.startMs === newest.startMs && token.text === newest.text;
    // A message that comes twice or late: final tokens do not change.
    if (isLate || isRepeated) return;
    this.#newest = token;
    this.#tokens = [...this.#tokens, token];
  }

  #endTurn(): void {
    const words = wordsOf(this.#tokens);
    const language = languageOf(this.#tokens);
    this.#tokens = [];
    this.#call.transcript.add(words, true, language);
    this.#call.turns.end(words, language);
  }

  #explainError({ error_code: code, error_message: message }: VendorMessage): ProviderError {
    const status = typeof code === "number" ? code : 500;
    const body = typeof message === "string" ? message : "";
    return explainVendorStatus(this.#identity, { status, headers: {}, body, nowMs: this.#clock.now() });
  }
}

function tokenIn(item: VendorMessage): Token {
  if (typeof item.text !== "string") throw new TypeError("a token has no text");
  return {
    text: item.text,
    startMs: numberIn(item, "start_ms"),
    endMs: numberIn(item, "end_ms"),
    confidence: typeof item.confidence === "number" ? item.confidence : 1,
    language: typeof item.language === "string" ? item.language : undefined,
  };
}

/** Tokens joined to words: a space begins the next one. */
function wordsOf(tokens: readonly Token[]): HeardWord[] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    const current = groups.at(-1);
    const isSeparate = /^\s/.test(token.text) || /\s$/.test(current?.at(-1)?.text ?? "");
    if (current === undefined || isSeparate) groups.push([token]);
    else current.push(token);
  }
  return groups.flatMap((group) => {
    const text = group
      .map((token) => token.text)
      .join("")
      .trim();
    const [first] = group;
    const last = group.at(-1);
    if (text === "" || !first || !last) return [];
    const confidence = Math.min(...group.map((token) => token.confidence));
    return [{ text, startMs: first.startMs, endMs: Math.max(first.startMs, last.endMs), confidence }];
  });
}

/** The most frequent language. */
function languageOf(tokens: readonly Token[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { language } of tokens) if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
