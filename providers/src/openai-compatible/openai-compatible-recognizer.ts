import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { WAV_HEADER_BYTES, wavHeader } from "@parley/audio/wav-header";
import type { Clock } from "@parley/time/clock";
import { matchExpectedAnswer } from "@parley/voice/ports/expected-answer";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type {
  Recognition,
  RecognitionQuestion,
  RecognitionRequest,
  RecognitionStream,
  RecognizedWord,
  SpeechRecognizer,
} from "@parley/voice/ports/speech-recognizer";
import { unlessAborted } from "../language-model/unless-aborted.ts";
import { AudioApi } from "./audio-api.ts";

export interface OpenAiCompatibleRecognizerOptions {
  readonly apiKey: string | null;
  /** With the version, such as `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly clock: Clock;
  /** `verbose_json` brings word times and confidence. Servers without it take `json`. */
  readonly format?: "verbose_json" | "json";
  /** Reads the reply as a stream of events, from servers that offer one. Then there are no word times. */
  readonly isStreamed?: boolean;
  readonly name?: string;
  readonly title?: string;
  readonly fetch?: typeof fetch;
}

/** Longer speech without a pause is not a turn of a phone call. The end of it is recognized. */
const UTTERANCE_SECONDS_MAX = 60;
/** OpenAI refuses audio below a tenth of a second. */
const UTTERANCE_SECONDS_MIN = 0.2;
/** These models read the end of a prompt, some 200 tokens of it. */
const PROMPT_LENGTH_MAX = 400;
const EXPECTED_MAX = 20;
/** The thresholds of Whisper's own decoder for "this is not speech". */
const NO_SPEECH_MIN = 0.6;
const NO_SPEECH_LOG_PROBABILITY_MAX = -1;

/**
 * Recognition by any server with OpenAI's `POST /audio/transcriptions`, such as faster-whisper or whisper.cpp. Each utterance is one
 * request. Needs PARLEY_STT_URL and PARLEY_STT_MODEL; takes PARLEY_STT_API_KEY.
 */
export function createOpenAiCompatibleRecognizer(options: OpenAiCompatibleRecognizerOptions): SpeechRecognizer {
  const name = options.name ?? "openai-compatible";
  const api = new AudioApi({ ...options, provider: name, title: options.title ?? "The recognition server" });
  const streams = new Set<UtteranceStream>();
  return {
    name,
    async open(request) {
      if (api.isClosed) throw api.fail("was closed", false);
      const stream: UtteranceStream = new UtteranceStream(api, options, request, () => streams.delete(stream));
      streams.add(stream);
      return stream;
    },
    async close() {
      for (const stream of [...streams]) stream.close();
      api.close();
    },
  };
}

/** A request in progress or its result, for as long as the utterance does not go on. */
interface Asked {
  readonly samples: number;
  readonly prompt: string;
  readonly transcript: Promise<Transcript>;
  readonly controller: AbortController;
  waiting: number;
}

class UtteranceStream implements RecognitionStream {
  readonly #api: AudioApi;
  readonly #options: OpenAiCompatibleRecognizerOptions;
  readonly #request: RecognitionRequest;
  readonly #onClosed: () => void;
  readonly #ending = new AbortController();
  #pieces: Int16Array[] = [];
  #samples = 0;
  #asked: Asked | null = null;

  constructor(
    api: AudioApi,
    options: OpenAiCompatibleRecognizerOptions,
    request: RecognitionRequest,
    onClosed: () => void,
  ) {
    this.#api = api;
    this.#options = options;
    this.#request = request;
    this.#onClosed = onClosed;
  }

  hear(samples: Int16Array): void {
    this.#pieces.push(samples.slice());
    this.#samples += samples.length;
    const max = UTTERANCE_SECONDS_MAX * this.#request.sampleRateHz;
    while (this.#samples - (this.#pieces[0]?.length ?? 0) > max) this.#samples -= this.#pieces.shift()?.length ?? 0;
  }

  startUtterance(): void {
    this.#pieces = [];
    this.#samples = 0;
    this.#asked = null;
  }

  async recognize({ expected, isSpeechCertain, signal }: RecognitionQuestion): Promise<Recognition> {
    signal?.throwIfAborted();
    this.#ending.signal.throwIfAborted();
    if (this.#samples === 0) return { text: "", words: [], best: null, confidence: null };
    const asked = this.#ask(promptOf(this.#request.terms ?? [], expected));
    const ends = signal ? AbortSignal.any([signal, this.#ending.signal]) : this.#ending.signal;
    asked.waiting += 1;
    try {
      const transcript = await unlessAborted(asked.transcript, ends);
      return toRecognition(transcript, expected, isSpeechCertain);
    } catch (error) {
      if (this.#asked === asked) this.#asked = null;
      throw error;
    } finally {
      asked.waiting -= 1;
      if (asked.waiting === 0) asked.controller.abort();
    }
  }

  close(): void {
    this.#onClosed();
    this.#ending.abort(new ProviderError(this.#api.identity.provider, "The call is over.", { retryable: false }));
    this.startUtterance();
  }

  /** A speculative request whose utterance did not go on already has the answer to the next one. */
  #ask(prompt: string): Asked {
    const last = this.#asked;
    if (last !== null && last.samples === this.#samples && last.prompt === prompt) return last;
    const controller = new AbortController();
    const transcript = this.#transcribe(prompt, controller.signal);
    // Those who wait for it are notified by their own promise.
    transcript.catch(() => undefined);
    this.#asked = { samples: this.#samples, prompt, transcript, controller, waiting: 0 };
    return this.#asked;
  }

  async #transcribe(prompt: string, signal: AbortSignal): Promise<Transcript> {
    const { model, format = "verbose_json", isStreamed = false } = this.#options;
    const form = new FormData();
    form.set("file", new Blob([this.#wav()], { type: "audio/wav" }), "utterance.wav");
    form.set("model", model);
    form.set("language", new Intl.Locale(this.#request.language).language);
    form.set("temperature", "0");
    if (prompt !== "") form.set("prompt", prompt);
    form.set("response_format", isStreamed ? "json" : format);
    if (isStreamed) form.set("stream", "true");
    else if (format === "verbose_json") {
      form.append("timestamp_granularities[]", "word");
      form.append("timestamp_granularities[]", "segment");
    }
    const reply = await this.#api.postForText("audio/transcriptions", form, signal);
    const transcript = isStreamed ? readTranscriptEvents(reply) : readTranscript(reply);
    if (transcript === null) throw this.#api.fail("sent a transcript that cannot be understood", true);
    return transcript;
  }

  #wav(): ArrayBuffer {
    const { sampleRateHz = TELEPHONE_RATE_HZ } = this.#request;
    const count = Math.max(this.#samples, UTTERANCE_SECONDS_MIN * sampleRateHz);
    const bytes = new Uint8Array(WAV_HEADER_BYTES + 2 * count);
    bytes.set(wavHeader({ sampleRateHz, channels: 1 }, 2 * count));
    const view = new DataView(bytes.buffer, WAV_HEADER_BYTES);
    let at = 0;
    for (const piece of this.#pieces) {
      for (const sample of piece) view.setInt16(2 * at++, sample, true);
    }
    return bytes.buffer;
  }
}

/** Names to spell as they are written, and answers in the form that is expected. */
function promptOf(terms: readonly string[], expected: readonly string[]): string {
  let prompt = "";
  for (const phrase of [...expected.slice(0, EXPECTED_MAX), ...terms]) {
    const longer = prompt === "" ? phrase : `${prompt}, ${phrase}`;
    if (longer.length <= PROMPT_LENGTH_MAX) prompt = longer;
  }
  return prompt;
}

function toRecognition(
  { segments, words, language, ...transcript }: Transcript,
  expected: readonly string[],
  isSpeechCertain: boolean,
): Recognition {
  // Whisper finds polite phrases in silence, and says itself that they are none.
  const isSpeech =
    isSpeechCertain ||
    segments.length === 0 ||
    segments.some(
      ({ noSpeech, logProbability }) => noSpeech < NO_SPEECH_MIN || logProbability > NO_SPEECH_LOG_PROBABILITY_MAX,
    );
  if (!isSpeech || transcript.text === "") return { text: "", words: [], best: null, confidence: null };
  const logProbability = segments.reduce((sum, segment) => sum + segment.logProbability, 0) / segments.length;
  return {
    text: transcript.text,
    words,
    best: matchExpectedAnswer(transcript.text, expected),
    confidence: segments.length === 0 ? null : Math.min(1, Math.exp(logProbability)),
    ...(language === null ? {} : { language }),
  };
}

/** A reply of `POST /audio/transcriptions`, whatever its format was. */
interface Transcript {
  readonly text: string;
  readonly words: readonly RecognizedWord[];
  readonly segments: readonly { readonly logProbability: number; readonly noSpeech: number }[];
  /** A BCP 47 tag; null if the server does not say, or says it in a way that is not known. */
  readonly language: string | null;
}

/** Reads `json` and `verbose_json`. Null if it is neither. */
function readTranscript(reply: string): Transcript | null {
  const value = parse(reply);
  if (!isObject(value) || typeof value.text !== "string") return null;
  return {
    text: value.text.trim(),
    words: objectsIn(value.words).flatMap(readWord),
    segments: objectsIn(value.segments).flatMap((segment) => {
      const { avg_logprob: logProbability, no_speech_prob: noSpeech } = segment;
      return typeof logProbability === "number" && typeof noSpeech === "number" ? [{ logProbability, noSpeech }] : [];
    }),
    language: typeof value.language === "string" ? tagOf(value.language) : null,
  };
}

/** Reads the events of a streamed transcript. Null unless it is complete. */
function readTranscriptEvents(reply: string): Transcript | null {
  for (const line of reply.split(/\r?\n/)) {
    if (!line.startsWith("data:")) continue;
    const event = parse(line.slice(5));
    if (isObject(event) && event.type === "transcript.text.done" && typeof event.text === "string") {
      return { text: event.text.trim(), words: [], segments: [], language: null };
    }
  }
  return null;
}

function readWord({ word, start, end }: Record<string, unknown>): RecognizedWord[] {
  if (typeof word !== "string" || typeof start !== "number" || typeof end !== "number") return [];
  // Whisper gives some short words no length at all.
  const startMs = Math.max(0, Math.round(1000 * start));
  return [{ text: word.trim(), startMs, endMs: Math.max(startMs + 1, Math.round(1000 * end)) }];
}

const names = new Intl.DisplayNames("en", { type: "language" });
const LANGUAGES =
  "ar bg ca cs da de el en es et fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sv th tr uk vi zh";
const TAG_BY_NAME = new Map(LANGUAGES.split(" ").map((tag) => [names.of(tag)?.toLowerCase() ?? tag, tag]));

/** Whisper writes "english", other servers "en". */
function tagOf(language: string): string | null {
  const named = TAG_BY_NAME.get(language.toLowerCase());
  if (named !== undefined) return named;
  return /^[a-z]{2,3}(-[A-Za-z0-9]+)*$/.test(language) ? (Intl.getCanonicalLocales(language)[0] ?? null) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
