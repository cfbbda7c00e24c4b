import { durationMsOf } from "@parley/audio/frame";
import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";
import { matchExpectedAnswer } from "@parley/voice/ports/expected-answer";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type {
  Recognition,
  RecognitionQuestion,
  RecognitionRequest,
  RecognitionStream,
  SpeechRecognizer,
} from "@parley/voice/ports/speech-recognizer";
import { readableDetail } from "../websocket/vendor-status.ts";
import { RealtimeConnection, type ServerEvent } from "./realtime-connection.ts";

export interface OpenAiRecognizerOptions {
  readonly apiKey: string;
  readonly clock: Clock;
  readonly baseUrl?: string;
  readonly model?: string;
  /**
   * How OpenAI finds the end of a turn: by silence, or by whether the words are complete, which waits longer after "uhm".
   */
  readonly turnDetection?: "server_vad" | "semantic_vad";
}

const MODEL = "gpt-4o-mini-transcribe";
/** Until the transcript of audio that was committed. */
const TRANSCRIPT_WITHIN_MS = 5_000;
const SILENCE_MS = 500;
const PREFIX_MS = 300;
/** An utterance may be announced this long after its first sound. */
const ANNOUNCED_WITHIN_MS = 300;
const PROMPT_LENGTH_MAX = 400;
const ITEMS_KEPT = 50;

/**
 * OpenAI's realtime transcription: one connection per call, which gets all of its audio as G.711 and finds turns itself. Their
 * transcripts begin when a turn ends. Needs PARLEY_OPENAI_API_KEY.
 */
export function createOpenAiRecognizer(options: OpenAiRecognizerOptions): SpeechRecognizer {
  const streams = new Set<TranscriptionStream>();
  let isClosed = false;
  return {
    name: "openai",
    async open(request) {
      if (isClosed) throw new ProviderError("openai", "OpenAI was closed.", { retryable: false });
      if (request.sampleRateHz !== 8_000) {
        const message = `OpenAI gets telephone audio of 8000 Hz, not of ${request.sampleRateHz} Hz.`;
        throw new ProviderError("openai", message, { retryable: false });
      }
      const stream: TranscriptionStream = new TranscriptionStream(options, request, () => streams.delete(stream));
      streams.add(stream);
      await stream.connect();
      return stream;
    },
    async close() {
      isClosed = true;
      for (const stream of [...streams]) stream.close();
    },
  };
}

/** Audio between two announcements of `startUtterance`. */
interface Utterance {
  readonly startMs: number;
}

/** A stretch of speech that OpenAI transcribes at once. */
interface Item {
  readonly id: string;
  startMs: number;
  endMs: number;
  utterance: Utterance;
  /** OpenAI's speech detection found speech in it. */
  isSpeech: boolean;
  isCommitted: boolean;
  isStarted: boolean;
  isReported: boolean;
  text: string;
  state: "open" | "done" | "failed";
}

interface Commit {
  readonly eventId: string;
  readonly utterance: Utterance;
  readonly atMs: number;
  readonly answered: PromiseWithResolvers<void>;
}

class TranscriptionStream implements RecognitionStream {
  readonly followsWholeCall = true;
  readonly #options: OpenAiRecognizerOptions;
  readonly #request: RecognitionRequest;
  readonly #connection: RealtimeConnection;
  #heardSamples = 0;
  #committedSamples = 0;
  #commitCount = 0;
  #items: Item[] = [];
  #utterances: Utterance[] = [{ startMs: 0 }];
  #commits: Commit[] = [];
  #changed = Promise.withResolvers<void>();

  constructor(options: OpenAiRecognizerOptions, request: RecognitionRequest, onClosed: () => void) {
    this.#options = options;
    this.#request = request;
    const { apiKey, clock, baseUrl } = options;
    this.#connection = new RealtimeConnection({
      ...{ provider: "openai", apiKey, clock, baseUrl, query: { intent: "transcription" } },
      onEvent: (event) => this.#handle(event),
      onLost: (error) => request.onEvent?.({ type: "failed", error }),
      onEnded: onClosed,
    });
  }

  connect(): Promise<void> {
    return this.#connection.connect(this.#session());
  }

  hear(samples: Int16Array): void {
    if (this.#connection.signal.aborted) return;
    this.#heardSamples += samples.length;
    this.#connection.hear(samples);
  }

  startUtterance(): void {
    this.#utterances = [...this.#utterances.slice(-ITEMS_KEPT), { startMs: this.#heardMs }];
  }

  async recognize({ expected, isGuess, isSpeechCertain, signal }: RecognitionQuestion): Promise<Recognition> {
    signal?.throwIfAborted();
    this.#connection.signal.throwIfAborted();
    const utterance = this.#currentUtterance;
    if (!isGuess) await this.#finish(utterance, signal);
    // Not at once: a request that is withdrawn immediately gets no answer.
    await Promise.resolve();
    signal?.throwIfAborted();
    const items = this.#items.filter((item) => item.utterance === utterance);
    if (!isGuess && items.some(({ state }) => state === "failed")) throw failure("could not transcribe this", true);
    // Models find words in silence; where OpenAI's own detection found no speech, they are not believed.
    const text = joined(items.filter(({ isSpeech }) => isSpeech || isSpeechCertain));
    return { text, words: [], best: matchExpectedAnswer(text, expected), confidence: null };
  }

  close(): void {
    this.#connection.close();
  }

  get #heardMs(): number {
    return durationMsOf(this.#heardSamples);
  }

  get #currentUtterance(): Utterance {
    return this.#utterances.at(-1) ?? { startMs: 0 };
  }

  #session(): object {
    const { model = MODEL, turnDetection = "server_vad" } = this.#options;
    const { language, terms = [] } = this.#request;
    const prompt = terms.join(", ").slice(0, PROMPT_LENGTH_MAX);
    const detection =
      turnDetection === "semantic_vad"
        ? { type: turnDetection, eagerness: "auto" }
        : { type: turnDetection, prefix_padding_ms: PREFIX_MS, silence_duration_ms: SILENCE_MS };
    return {
      type: "transcription",
      audio: {
        input: {
          format: { type: "audio/pcmu" },
          transcription: {
            model,
            language: new Intl.Locale(language).language,
            ...(prompt === "" ? {} : { prompt }),
          },
          turn_detection: detection,
        },
      },
    };
  }

  /** Has everything transcribed that was heard until now, and waits for it. */
  async #finish(utterance: Utterance, signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#options;
    const ends = signal ? AbortSignal.any([signal, this.#connection.signal]) : this.#connection.signal;
    const untilMs = clock.now() + TRANSCRIPT_WITHIN_MS;
    if (this.#heardSamples > this.#committedSamples) {
      this.#committedSamples = this.#heardSamples;
      this.#commitCount += 1;
      // By its id, OpenAI says to which commit an error belongs.
      const eventId = `commit_${this.#commitCount}`;
      this.#connection.send({ event_id: eventId, type: "input_audio_buffer.commit" });
      const commit: Commit = {
        eventId,
        utterance,
        atMs: this.#heardMs,
        answered: Promise.withResolvers(),
      };
      this.#commits.push(commit);
      await this.#inTime(commit.answered.promise, untilMs, ends);
    }
    while (this.#commits.some((commit) => commit.utterance === utterance) || this.#isOpen(utterance)) {
      await this.#inTime(this.#changed.promise, untilMs, ends);
    }
  }

  #isOpen(utterance: Utterance): boolean {
    return this.#items.some((item) => item.utterance === utterance && item.isCommitted && item.state === "open");
  }

  async #inTime(work: Promise<void>, untilMs: number, ends: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const waited = await waitFor(clock, Math.max(0, untilMs - clock.now()), work, ends);
    if (waited.type === "aborted") throw ends.reason;
    if (waited.type === "late") throw failure(`sent no transcript within ${TRANSCRIPT_WITHIN_MS} ms`, true);
  }

  #handle(event: ServerEvent): void {
    switch (event.type) {
      case "error":
        return this.#handleError(event.error as Readonly<Record<string, unknown>>);
      case "input_audio_buffer.speech_started":
        return this.#start(String(event.item_id), Number(event.audio_start_ms));
      case "input_audio_buffer.speech_stopped": {
        const item = this.#itemOf(event.item_id);
        if (item) item.endMs = this.#within(Number(event.audio_end_ms));
        return;
      }
      case "input_audio_buffer.committed":
        return this.#commit(String(event.item_id));
      case "conversation.item.input_audio_transcription.delta": {
        const item = this.#itemOf(event.item_id);
        if (item?.state !== "open") return;
        item.text += String(event.delta ?? "");
        return this.#report();
      }
      case "conversation.item.input_audio_transcription.completed":
        return this.#complete(event.item_id, String(event.transcript ?? ""), "done");
      case "conversation.item.input_audio_transcription.failed":
        return this.#complete(event.item_id, "", "failed");
      default:
        return;
    }
  }

  #handleError(error: Readonly<Record<string, unknown>>): void {
    const commit = this.#commits.find(({ eventId }) => eventId === error.event_id);
    // There was too little audio since the last turn that OpenAI ended by itself.
    if (commit) return this.#answer(commit);
    const code = String(error.code ?? error.type ?? "");
    const detail = readableDetail(String(error.message ?? ""), [this.#options.apiKey]).replace(/\.$/, "");
    const isPermanent = /invalid|insufficient_quota|model_not_found|not_supported/.test(`${code} ${error.type}`);
    throw failure(
      detail === "" ? "reported an error" : `reported an error: ${detail}`,
      code === "session_expired" || !isPermanent,
    );
  }

  #start(id: string, startMs: number): void {
    if (this.#itemOf(id)) return;
    const speechMs = this.#within(startMs + PREFIX_MS);
    const utterance = this.#utterances.findLast((each) => each.startMs <= speechMs + ANNOUNCED_WITHIN_MS);
    this.#add(id, this.#within(startMs), utterance ?? this.#currentUtterance, true);
    this.#report();
  }

  #add(id: string, startMs: number, utterance: Utterance, isSpeech: boolean): Item {
    const item: Item = {
      id,
      startMs,
      endMs: startMs,
      utterance,
      isSpeech,
      isCommitted: false,
      isStarted: false,
      isReported: false,
      text: "",
      state: "open",
    };
    this.#items = [...this.#items.slice(-ITEMS_KEPT), item];
    return item;
  }

  #commit(id: string): void {
    const known = this.#itemOf(id);
    if (known?.isCommitted) return;
    // Without the end of speech before it, it is the reply to a commit of ours.
    const commit = known && known.endMs > known.startMs ? undefined : this.#commits[0];
    const item =
      known ?? this.#add(id, commit?.atMs ?? this.#heardMs, commit?.utterance ?? this.#currentUtterance, false);
    item.isCommitted = true;
    item.endMs = Math.max(item.endMs, commit?.atMs ?? item.startMs);
    if (commit) {
      item.utterance = commit.utterance;
      this.#answer(commit);
    }
    this.#notify();
  }

  #answer(commit: Commit): void {
    this.#commits = this.#commits.filter((each) => each !== commit);
    commit.answered.resolve();
    this.#notify();
  }

  #complete(id: unknown, transcript: string, state: "done" | "failed"): void {
    const item = this.#itemOf(id);
    if (item?.state !== "open") return;
    item.text = transcript;
    item.state = state;
    this.#report();
    this.#notify();
  }

  /** Reports turns one after the other, although transcripts may overtake each other. */
  #report(): void {
    for (const item of this.#items) {
      const hasText = item.text.trim() !== "";
      if (item.state === "open" && !item.isSpeech && !hasText) return;
      if (!item.isStarted && (item.isSpeech || hasText)) {
        item.isStarted = true;
        this.#request.onEvent?.({ type: "turn_started", atMs: item.startMs });
      }
      if (!item.isStarted) continue;
      const text = { text: item.text.trim(), words: [], confidence: null, atMs: Math.max(item.startMs, item.endMs) };
      if (item.state === "open") {
        if (hasText) this.#request.onEvent?.({ type: "turn_updated", ...text });
        return;
      }
      if (item.isReported) continue;
      item.isReported = true;
      this.#request.onEvent?.({ type: "turn_ended", ...text });
    }
  }

  #itemOf(id: unknown): Item | undefined {
    return this.#items.find((item) => item.id === id);
  }

  /** OpenAI's times are rounded: never ahead of what it has heard. */
  #within(ms: number): number {
    return Number.isFinite(ms) ? Math.min(this.#heardMs, Math.max(0, ms)) : this.#heardMs;
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

function joined(items: readonly Item[]): string {
  return items
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join(" ");
}

function failure(complaint: string, retryable: boolean): ProviderError {
  return new ProviderError("openai", `OpenAI ${complaint}.`, { retryable });
}
