import { waitFor } from "@parley/time/within";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type {
  Recognition,
  RecognitionQuestion,
  RecognitionRequest,
  RecognitionStream,
  SpeechRecognizer,
} from "@parley/voice/ports/speech-recognizer";
import { openVendorSocket, type VendorSocket } from "../websocket/vendor-socket.ts";
import { CallTranscript, type HeardWord, TurnReporter } from "./call-transcript.ts";
import {
  CONNECT_WITHIN_MS,
  DEEPGRAM,
  type DeepgramAccess,
  deepgramHeaders,
  deepgramIdentity,
  deepgramUrl,
} from "./deepgram-access.ts";

/** Deepgram closes Nova streams that receive nothing for ten seconds. */
const KEEP_ALIVE_EVERY_MS = 4_000;

/** How one of Deepgram's streaming protocols is spoken. */
export interface ListenProtocol {
  /** Throws a ProviderError for a language that the model lacks. */
  address(request: RecognitionRequest): { readonly path: string; readonly query: URLSearchParams };
  /** Audio is sent in pieces of this length. */
  readonly chunkMs: number;
  /** Sent while there is no audio; null if the protocol has nothing for that. */
  readonly keepAlive: string | null;
  start(stream: ListenStream): ListenConversation;
}

export interface ListenConversation {
  /** Throws for messages that cannot be understood. */
  receive(message: Readonly<Record<string, unknown>>): void;
  /** Resolves when the audio up to `sentMs` is transcribed, or will not be in time. */
  complete(sentMs: number, question: RecognitionQuestion): Promise<void>;
  /** What is sent after this belongs to another utterance. */
  startUtterance(): void;
}

/** What a protocol works with. */
export interface ListenStream {
  readonly transcript: CallTranscript;
  readonly turns: TurnReporter;
  send(message: object): void;
  /** Waits until something is so, checked after every message. False if it is not within the limit. */
  until(isSo: () => boolean, limitMs: number, signal?: AbortSignal): Promise<boolean>;
}

/** A recognizer that opens one WebSocket per call, which follows the whole call. */
export function createListenRecognizer(access: DeepgramAccess, protocol: ListenProtocol): SpeechRecognizer {
  const streams = new Set<CallStream>();
  const ending = new AbortController();

  return {
    name: DEEPGRAM,
    async open(request) {
      const { path, query } = protocol.address(request);
      const stream = new CallStream(access, protocol, request);
      streams.add(stream);
      try {
        await stream.connect(deepgramUrl(access, path, query), ending.signal);
      } catch (error) {
        streams.delete(stream);
        throw error;
      }
      void stream.gone.then(() => streams.delete(stream));
      return stream;
    },
    async close() {
      ending.abort(new ProviderError(DEEPGRAM, "The recognizer was closed.", { retryable: false }));
      const all = [...streams];
      for (const stream of all) stream.close();
      await Promise.all(all.map(({ gone }) => gone));
    },
  };
}

class CallStream implements RecognitionStream, ListenStream {
  readonly followsWholeCall = true;
  readonly transcript = new CallTranscript();
  readonly turns: TurnReporter;
  readonly #access: DeepgramAccess;
  readonly #protocol: ListenProtocol;
  readonly #request: RecognitionRequest;
  readonly #conversation: ListenConversation;
  readonly #gone = Promise.withResolvers<void>();
  readonly #checks = new Set<() => void>();
  readonly #chunk: Int16Array;
  #chunkLength = 0;
  #sentSamples = 0;
  #wasAudioSent = false;
  #socket: VendorSocket | null = null;
  #failure: ProviderError | null = null;
  #isClosed = false;
  #cancelKeepAlive: () => void = () => undefined;

  constructor(access: DeepgramAccess, protocol: ListenProtocol, request: RecognitionRequest) {
    this.#access = access;
    this.#protocol = protocol;
    this.#request = request;
    this.#chunk = new Int16Array(Math.round((request.sampleRateHz * protocol.chunkMs) / 1000));
    this.turns = new TurnReporter((event) => {
      if (!this.#isClosed) request.onEvent?.(event);
    });
    this.#conversation = protocol.start(this);
  }

  /** Resolves when the connection is gone. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  async connect(url: string, signal: AbortSignal): Promise<void> {
    try {
      this.#socket = await openVendorSocket({
        ...deepgramIdentity(this.#access),
        url,
        headers: deepgramHeaders(this.#access),
        clock: this.#access.clock,
        connectWithinMs: CONNECT_WITHIN_MS,
        signal,
        onMessage: (data) => this.#receive(data),
        onClosed: (error) => this.#end(error),
      });
    } catch (error) {
      this.#gone.resolve();
      throw error;
    }
    if (this.#isClosed) this.#socket.close();
    else this.#keepAlive();
  }

  hear(samples: Int16Array): void {
    if (this.#isClosed || this.#failure) return;
    for (let at = 0; at < samples.length; ) {
      const piece = samples.subarray(at, at + this.#chunk.length - this.#chunkLength);
      this.#chunk.set(piece, this.#chunkLength);
      this.#chunkLength += piece.length;
      at += piece.length;
      if (this.#chunkLength === this.#chunk.length) this.#sendChunk();
    }
  }

  startUtterance(): void {
    this.#sendChunk();
    this.transcript.startUtterance(this.#heardMs());
    this.#conversation.startUtterance();
  }

  async recognize(question: RecognitionQuestion): Promise<Recognition> {
    question.signal?.throwIfAborted();
    this.#throwIfOver();
    const { utterance } = this.transcript;
    if (!question.isGuess) {
      this.#sendChunk();
      await this.#conversation.complete(this.#heardMs(), question);
      this.#throwIfOver();
    }
    return this.transcript.recognitionOf(utterance, question);
  }

  send(message: object): void {
    this.#socket?.send(JSON.stringify(message));
  }

  async until(isSo: () => boolean, limitMs: number, signal?: AbortSignal): Promise<boolean> {
    if (isSo()) return true;
    const seen = Promise.withResolvers<void>();
    const check = () => {
      if (this.#failure || this.#isClosed) seen.reject(this.#failure ?? this.#closedError());
      else if (isSo()) seen.resolve();
    };
    this.#checks.add(check);
    try {
      const waited = await waitFor(this.#access.clock, limitMs, seen.promise, signal);
      if (waited.type === "aborted") throw signal?.reason;
      return waited.type === "done";
    } finally {
      this.#checks.delete(check);
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelKeepAlive();
    this.#socket?.close();
    this.#runChecks();
  }

  #receive(data: string | Uint8Array): void {
    if (typeof data !== "string") throw new TypeError("a binary message was not expected");
    const message: unknown = JSON.parse(data);
    if (typeof message !== "object" || message === null) throw new TypeError("the message is not an object");
    this.#conversation.receive(message as Record<string, unknown>);
    this.#runChecks();
  }

  #end(error: ProviderError | null): void {
    this.#cancelKeepAlive();
    if (!this.#isClosed) {
      this.#failure = error ?? new ProviderError(DEEPGRAM, "Deepgram ended the stream.", { retryable: true });
      this.#runChecks();
      this.#request.onEvent?.({ type: "failed", error: this.#failure });
    }
    this.#gone.resolve();
  }

  #sendChunk(): void {
    if (this.#chunkLength === 0) return;
    const bytes = new Uint8Array(this.#chunk.slice(0, this.#chunkLength).buffer);
    this.#sentSamples += this.#chunkLength;
    this.#chunkLength = 0;
    this.#wasAudioSent = true;
    this.#socket?.send(bytes);
  }

  #keepAlive(): void {
    const { keepAlive } = this.#protocol;
    if (keepAlive === null || this.#failure) return;
    this.#cancelKeepAlive = this.#access.clock.setTimer(KEEP_ALIVE_EVERY_MS, () => {
      if (!this.#wasAudioSent) this.send({ type: keepAlive });
      this.#wasAudioSent = false;
      this.#keepAlive();
    });
  }

  #heardMs(): number {
    return ((this.#sentSamples + this.#chunkLength) * 1000) / this.#request.sampleRateHz;
  }

  #runChecks(): void {
    for (const check of this.#checks) check();
  }

  #throwIfOver(): void {
    if (this.#failure) throw this.#failure;
    if (this.#isClosed) throw this.#closedError();
  }

  #closedError(): ProviderError {
    return new ProviderError(DEEPGRAM, "The call is over.", { retryable: false });
  }
}

/** Speech that was certain and produced nothing while the vendor was behind is a failure, not an empty text. */
export function throwIfMissed(stream: ListenStream, { isSpeechCertain }: RecognitionQuestion): void {
  if (!isSpeechCertain || stream.transcript.wordsOf(stream.transcript.utterance).length > 0) return;
  throw new ProviderError(DEEPGRAM, "Deepgram did not transcribe the speech in time.", { retryable: true });
}

export function numberIn(holder: Readonly<Record<string, unknown>>, name: string): number {
  const value = holder[name];
  if (typeof value !== "number" || !Number.isFinite(value)) throw new TypeError(`${name} is not a number`);
  return value;
}

/** The words of a message. Words without times are spread over the stretch of audio that was transcribed. */
export function wordsIn(list: unknown, fromMs: number, toMs: number): HeardWord[] {
  if (!Array.isArray(list)) throw new TypeError("the words are not a list");
  const stepMs = (toMs - fromMs) / Math.max(1, list.length);
  return list.map((item: Readonly<Record<string, unknown>>, index) => {
    const text = typeof item.punctuated_word === "string" ? item.punctuated_word : item.word;
    if (typeof text !== "string") throw new TypeError("a word is not a text");
    const startMs = typeof item.start === "number" ? item.start * 1000 : fromMs + index * stepMs;
    const endMs = typeof item.end === "number" ? item.end * 1000 : startMs + stepMs;
    const confidence = typeof item.confidence === "number" ? item.confidence : 1;
    return { text, startMs, endMs, confidence };
  });
}

/** The most frequent language of a message, if it names any. */
export function languageIn(holder: Readonly<Record<string, unknown>>): string | undefined {
  const { languages } = holder;
  const first: unknown = Array.isArray(languages) ? languages[0] : undefined;
  return typeof first === "string" ? first : undefined;
}
