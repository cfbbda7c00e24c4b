import { durationMsOf, samplesIn } from "@parley/audio/frame";
import { matchExpectedAnswer } from "../ports/expected-answer.ts";
import { ProviderError } from "../ports/provider-error.ts";
import type {
  Recognition,
  RecognitionEvent,
  RecognitionQuestion,
  RecognitionRequest,
  RecognitionStream,
  RecognizedWord,
  SpeechRecognizer,
} from "../ports/speech-recognizer.ts";
import type { MarkedSpeech } from "./marked-speech.ts";

export interface FakeStreamingOptions {
  readonly name?: string;
  /** Silence after which a turn has probably ended; null: that is never reported. */
  readonly probableEndMs?: number | null;
  /** Silence after which a turn has ended. */
  readonly endMs?: number;
  /** How much audio it is behind. */
  readonly lagMs?: number;
  readonly confidence?: number;
  readonly language?: string;
}

export interface FakeStreamingRecognizer extends SpeechRecognizer {
  readonly openStreams: number;
  /** How often a stream was opened, and with what. */
  readonly requests: readonly RecognitionRequest[];
  /** What the newest stream has heard. */
  readonly heardMs: number;
  /** Everything the newest stream has reported. */
  readonly events: readonly RecognitionEvent[];
  /** All streams lose their connection now. */
  breakNow(): void;
  /** The next request loses the connection. */
  breakAtNextRequest(): void;
  /** Nothing is reported or answered from now on, although the connection is open. */
  fallSilent(): void;
  /** The next attempts to open a stream fail. */
  refuse(times: number): void;
}

const WORDLESS_KEPT_SAMPLES = samplesIn(600);

/** Reads marked speech as it comes and reports turns. Everything depends on the audio alone, nothing on the clock. */
export function createFakeStreamingRecognizer(
  speech: MarkedSpeech,
  options: FakeStreamingOptions = {},
): FakeStreamingRecognizer {
  const name = options.name ?? "fake-streaming";
  const streams = new Set<FakeStream>();
  const requests: RecognitionRequest[] = [];
  let newest: FakeStream | null = null;
  let refusals = 0;
  let isClosed = false;

  return {
    name,
    requests,
    get openStreams() {
      return streams.size;
    },
    get heardMs() {
      return newest?.heardMs ?? 0;
    },
    get events() {
      return newest?.events ?? [];
    },
    async open(request) {
      requests.push(request);
      if (isClosed) throw new ProviderError(name, "it was closed", { retryable: false });
      if (refusals > 0) {
        refusals -= 1;
        throw new ProviderError(name, "it refuses connections", { retryable: true });
      }
      const stream: FakeStream = new FakeStream(name, speech, request, options, () => streams.delete(stream));
      streams.add(stream);
      newest = stream;
      return stream;
    },
    breakNow() {
      for (const stream of [...streams]) stream.lose();
    },
    breakAtNextRequest() {
      for (const stream of streams) stream.breaksAtRequest = true;
    },
    fallSilent() {
      for (const stream of streams) stream.isSilent = true;
    },
    refuse(times) {
      refusals = times;
    },
    async close() {
      isClosed = true;
      for (const stream of [...streams]) stream.close();
    },
  };
}

type TurnPhase = "none" | "speaking" | "probably_ended";

class FakeStream implements RecognitionStream {
  readonly followsWholeCall = true;
  readonly events: RecognitionEvent[] = [];
  breaksAtRequest = false;
  isSilent = false;
  readonly #name: string;
  readonly #speech: MarkedSpeech;
  readonly #request: RecognitionRequest;
  readonly #options: FakeStreamingOptions;
  readonly #onClosed: () => void;
  readonly #ending = new AbortController();
  /** Audio that was heard but not processed yet, and the audio of the current turn. */
  #waiting = new Int16Array(0);
  #turn = new Int16Array(0);
  #turnStart = 0;
  #phase: TurnPhase = "none";
  #words: readonly RecognizedWord[] = [];
  /** The words of earlier turns of the same utterance. */
  #before: readonly RecognizedWord[] = [];
  #utteranceMs = 0;

  constructor(
    name: string,
    speech: MarkedSpeech,
    request: RecognitionRequest,
    options: FakeStreamingOptions,
    onClosed: () => void,
  ) {
    this.#name = name;
    this.#speech = speech;
    this.#request = request;
    this.#options = options;
    this.#onClosed = onClosed;
  }

  get heardMs(): number {
    return durationMsOf(this.#turnStart + this.#turn.length + this.#waiting.length);
  }

  hear(samples: Int16Array): void {
    if (this.#ending.signal.aborted) return;
    this.#waiting = joined(this.#waiting, samples);
    const ready = this.#waiting.length - samplesIn(this.#options.lagMs ?? 0);
    if (ready > 0) this.#process(ready);
  }

  startUtterance(): void {
    this.#utteranceMs = this.heardMs;
    this.#before = [];
  }

  async recognize({ expected, isGuess, signal }: RecognitionQuestion): Promise<Recognition> {
    signal?.throwIfAborted();
    if (this.breaksAtRequest) this.lose();
    this.#ending.signal.throwIfAborted();
    if (!isGuess) this.#process(this.#waiting.length);
    const words = [...this.#before, ...this.#words].filter(({ endMs }) => endMs > this.#utteranceMs);
    await new Promise<void>((resolve, reject) => {
      const stop = signal ? AbortSignal.any([signal, this.#ending.signal]) : this.#ending.signal;
      stop.addEventListener("abort", () => reject(stop.reason), { once: true });
      // Not at once: a request that is withdrawn immediately gets no answer.
      if (!this.isSilent) void Promise.resolve().then(resolve);
    });
    const { confidence = 0.95, language } = this.#options;
    const text = words.map((word) => word.text).join(" ");
    const best = matchExpectedAnswer(text, expected);
    return { text, words, best, confidence: text === "" ? null : confidence, ...(language ? { language } : {}) };
  }

  close(): void {
    this.#end(new ProviderError(this.#name, "the call is over", { retryable: false }));
  }

  lose(): void {
    if (this.#ending.signal.aborted) return;
    const error = new ProviderError(this.#name, "the connection was lost", { retryable: true });
    this.isSilent = false;
    this.#report({ type: "failed", error });
    this.#end(error);
  }

  #end(error: ProviderError): void {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort(error);
    this.#onClosed();
  }

  #process(samples: number): void {
    // In pieces of one frame, so that what is reported does not depend on how the audio came.
    const piece = samplesIn(20);
    for (let done = 0; done < samples && !this.#ending.signal.aborted; ) {
      const count = Math.min(piece, samples - done);
      this.#turn = joined(this.#turn, this.#waiting.subarray(0, count));
      this.#waiting = this.#waiting.slice(count);
      done += count;
      this.#follow();
    }
  }

  #follow(): void {
    const fromMs = durationMsOf(this.#turnStart);
    const words = this.#speech
      .read(this.#turn)
      .map((word) => ({ ...word, startMs: fromMs + word.startMs, endMs: fromMs + word.endMs }));
    const [first, last] = [words[0], words.at(-1)];
    const nowMs = durationMsOf(this.#turnStart + this.#turn.length);
    if (first === undefined || last === undefined) return this.#forget(this.#turn.length - WORDLESS_KEPT_SAMPLES);
    const hasChanged = words.length !== this.#words.length;
    if (this.#phase === "none") this.#report({ type: "turn_started", atMs: first.startMs });
    if (this.#phase === "probably_ended" && hasChanged) this.#report({ type: "turn_resumed", atMs: last.startMs });
    this.#words = words;
    if (this.#phase === "none" || hasChanged) {
      this.#phase = "speaking";
      this.#reportText("turn_updated", nowMs);
    }
    const { probableEndMs = null, endMs = 700 } = this.#options;
    const silenceMs = nowMs - last.endMs;
    if (this.#phase === "speaking" && probableEndMs !== null && silenceMs >= probableEndMs) {
      this.#phase = "probably_ended";
      this.#reportText("turn_probably_ended", nowMs);
    }
    if (silenceMs < endMs) return;
    this.#reportText("turn_ended", nowMs);
    this.#phase = "none";
    this.#before = [...this.#before, ...words];
    this.#words = [];
    this.#forget(this.#turn.length);
  }

  #reportText(type: "turn_updated" | "turn_probably_ended" | "turn_ended", atMs: number): void {
    const { confidence = 0.95, language } = this.#options;
    const text = this.#words.map((word) => word.text).join(" ");
    this.#report({ type, text, words: this.#words, confidence, atMs, ...(language ? { language } : {}) });
  }

  #forget(samples: number): void {
    if (samples <= 0) return;
    this.#turn = this.#turn.slice(samples);
    this.#turnStart += samples;
  }

  #report(event: RecognitionEvent): void {
    if (this.isSilent) return;
    this.events.push(event);
    this.#request.onEvent?.(event);
  }
}

function joined(before: Int16Array, after: Int16Array): Int16Array<ArrayBuffer> {
  const samples = new Int16Array(before.length + after.length);
  samples.set(before);
  samples.set(after, before.length);
  return samples;
}
