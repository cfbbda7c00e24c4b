import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type {
  Recognition,
  RecognitionQuestion,
  RecognitionRequest,
  RecognitionStream,
  SpeechRecognizer,
} from "@parley/voice/ports/speech-recognizer";
import { openVendorSocket, type VendorSocket, type VendorSocketOptions } from "../websocket/vendor-socket.ts";
import type { VendorIdentity } from "../websocket/vendor-status.ts";
import { CallTranscript, TurnReporter } from "./call-transcript.ts";

const CONNECT_WITHIN_MS = 5_000;

/** A message of a vendor, as parsed from JSON. */
export type VendorMessage = Readonly<Record<string, unknown>>;

/** How a vendor's streaming protocol is spoken. */
export interface StreamingProtocol extends VendorIdentity {
  readonly clock: Clock;
  /** Throws a ProviderError for a language that the model lacks. */
  address(request: RecognitionRequest): { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** Audio is sent in pieces of this length, and in shorter ones where a result is requested. */
  readonly chunkMs: number;
  /** A shorter rest waits for more audio, although a result is requested. */
  readonly chunkMinMs?: number;
  /** How a piece of audio is sent. By default as 16-bit little-endian samples. */
  encode?(samples: Int16Array, sampleRateHz: number): string | Uint8Array;
  /** Sent while there is no audio. */
  readonly keepAlive?: { readonly everyMs: number; readonly message: object };
  readonly explainClose?: VendorSocketOptions["explainClose"];
  start(call: StreamingCall, request: RecognitionRequest): StreamingConversation;
}

/** The protocol's side of one connection. */
export interface StreamingConversation {
  /** Sends the settings of the session, and resolves when the vendor has accepted them. */
  begin?(): Promise<void>;
  /** Throws for messages that cannot be understood, and a ProviderError for a failure that the vendor reports. */
  receive(message: VendorMessage): void;
  /** Resolves when the audio up to `sentMs` is transcribed, or will not be in time. */
  complete(sentMs: number, question: RecognitionQuestion): Promise<void>;
  /** What is sent after this belongs to another utterance. */
  startUtterance?(): void;
  /** The last message to the vendor, so that it stops to charge. */
  readonly farewell?: object;
}

/** What a protocol works with. */
export interface StreamingCall {
  readonly transcript: CallTranscript;
  readonly turns: TurnReporter;
  /** How much audio was sent. */
  readonly sentMs: number;
  send(message: object): void;
  /** Waits until something is so, checked after every message. False if it is not within the limit. */
  until(isSo: () => boolean, limitMs: number, signal?: AbortSignal): Promise<boolean>;
  /** Speech that was certain and produced nothing while the vendor was behind is a failure, not an empty text. */
  throwIfMissed(question: RecognitionQuestion): void;
}

/** A recognizer that opens one WebSocket per call, which follows the whole call. */
export function createStreamingRecognizer(protocol: StreamingProtocol): SpeechRecognizer {
  const streams = new Set<CallStream>();
  const ending = new AbortController();

  return {
    name: protocol.provider,
    async open(request) {
      const address = protocol.address(request);
      const stream = new CallStream(protocol, request);
      streams.add(stream);
      void stream.gone.then(() => streams.delete(stream));
      await stream.connect(address, ending.signal);
      return stream;
    },
    async close() {
      ending.abort(new ProviderError(protocol.provider, "The recognizer was closed.", { retryable: false }));
      const all = [...streams];
      for (const stream of all) stream.close();
      await Promise.all(all.map(({ gone }) => gone));
    },
  };
}

class CallStream implements RecognitionStream, StreamingCall {
  readonly followsWholeCall = true;
  readonly transcript = new CallTranscript();
  readonly turns: TurnReporter;
  readonly #protocol: StreamingProtocol;
  readonly #request: RecognitionRequest;
  readonly #conversation: StreamingConversation;
  readonly #gone = Promise.withResolvers<void>();
  readonly #checks = new Set<() => void>();
  readonly #chunk: Int16Array;
  #chunkLength = 0;
  #sentSamples = 0;
  #wasAudioSent = false;
  #socket: VendorSocket | null = null;
  /** Until then, failures are those of `connect`. */
  #isOpened = false;
  #failure: ProviderError | null = null;
  #isClosed = false;
  #cancelKeepAlive: () => void = () => undefined;

  constructor(protocol: StreamingProtocol, request: RecognitionRequest) {
    this.#protocol = protocol;
    this.#request = request;
    this.#chunk = new Int16Array(Math.round((request.sampleRateHz * protocol.chunkMs) / 1000));
    this.turns = new TurnReporter((event) => {
      if (!this.#isClosed) request.onEvent?.(event);
    });
    this.#conversation = protocol.start(this, request);
  }

  /** Resolves when the connection is gone. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  get sentMs(): number {
    return (this.#sentSamples * 1000) / this.#request.sampleRateHz;
  }

  /** Resolves when the vendor is ready for audio. If it rejects, nothing is left open. */
  async connect(address: ReturnType<StreamingProtocol["address"]>, signal: AbortSignal): Promise<void> {
    const { provider, title, secrets, clock, explainClose } = this.#protocol;
    try {
      this.#socket = await openVendorSocket({
        provider,
        title,
        secrets,
        ...address,
        clock,
        ...(explainClose ? { explainClose } : {}),
        connectWithinMs: CONNECT_WITHIN_MS,
        signal,
        onMessage: (data) => this.#receive(data),
        onClosed: (error) => this.#end(error),
      });
    } catch (error) {
      this.#gone.resolve();
      throw error;
    }
    try {
      await this.#conversation.begin?.();
    } catch (error) {
      this.close();
      throw error;
    }
    this.#isOpened = true;
    if (this.#isClosed) this.#socket.close();
    else this.#keepAlive();
  }

  hear(samples: Int16Array): void {
    if (this.#isClosed || this.#failure) return;
    for (let at = 0; at < samples.length; ) {
      const wanted = this.#untilStep();
      const piece = samples.subarray(at, at + wanted - this.#chunkLength);
      this.#chunk.set(piece, this.#chunkLength);
      this.#chunkLength += piece.length;
      at += piece.length;
      if (this.#chunkLength === wanted) this.#sendChunk();
    }
  }

  /**
   * The length of the next piece. Vendors work in steps of the length that they recommend, counted from the beginning: after a shorter piece the
   * next one ends with such a step, so that no step waits for the rest of a piece.
   */
  #untilStep(): number {
    const whole = this.#chunk.length;
    // What is too short to be sent cannot restore the steps.
    return (this.#protocol.chunkMinMs ?? 0) > 0 ? whole : whole - (this.#sentSamples % whole);
  }

  startUtterance(): void {
    this.#sendChunk();
    this.transcript.startUtterance(this.#heardMs());
    this.#conversation.startUtterance?.();
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
      const waited = await waitFor(this.#protocol.clock, limitMs, seen.promise, signal);
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
    if (this.#conversation.farewell) this.send(this.#conversation.farewell);
    this.#socket?.close();
    this.#runChecks();
  }

  throwIfMissed({ isSpeechCertain }: RecognitionQuestion): void {
    if (!isSpeechCertain || this.transcript.wordsOf(this.transcript.utterance).length > 0) return;
    throw this.#error("did not transcribe the speech in time", true);
  }

  #receive(data: string | Uint8Array): void {
    if (typeof data !== "string") throw new TypeError("a binary message was not expected");
    const message: unknown = JSON.parse(data);
    if (typeof message !== "object" || message === null) throw new TypeError("the message is not an object");
    this.#conversation.receive(message as VendorMessage);
    this.#runChecks();
  }

  #end(error: ProviderError | null): void {
    this.#cancelKeepAlive();
    if (!this.#isClosed) {
      this.#failure = error ?? this.#error("ended the stream", true);
      this.#runChecks();
      if (this.#isOpened) this.#request.onEvent?.({ type: "failed", error: this.#failure });
    }
    this.#gone.resolve();
  }

  #sendChunk(): void {
    const { chunkMinMs = 0, encode = bytesOf } = this.#protocol;
    if (this.#chunkLength === 0 || this.#chunkLength * 1000 < chunkMinMs * this.#request.sampleRateHz) return;
    const piece = encode(this.#chunk.slice(0, this.#chunkLength), this.#request.sampleRateHz);
    this.#sentSamples += this.#chunkLength;
    this.#chunkLength = 0;
    this.#wasAudioSent = true;
    this.#socket?.send(piece);
  }

  #keepAlive(): void {
    const { keepAlive, clock } = this.#protocol;
    if (!keepAlive || this.#failure) return;
    this.#cancelKeepAlive = clock.setTimer(keepAlive.everyMs, () => {
      if (!this.#wasAudioSent) this.send(keepAlive.message);
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
    return new ProviderError(this.#protocol.provider, "The call is over.", { retryable: false });
  }

  #error(complaint: string, retryable: boolean): ProviderError {
    return new ProviderError(this.#protocol.provider, `${this.#protocol.title} ${complaint}.`, { retryable });
  }
}

function bytesOf(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** A number that a message must have. */
export function numberIn(holder: VendorMessage, name: string): number {
  const value = holder[name];
  if (typeof value !== "number" || !Number.isFinite(value)) throw new TypeError(`${name} is not a number`);
  return value;
}

/** The objects of a list that a message must have. */
export function objectsIn(holder: VendorMessage, name: string): readonly VendorMessage[] {
  const list = holder[name];
  if (!Array.isArray(list)) throw new TypeError(`${name} is not a list`);
  for (const item of list) if (!(item instanceof Object)) throw new TypeError(`an item of ${name} is not an object`);
  return list;
}

/** The expected terms that a vendor can use: neither empty nor too long, and not too many. */
export function usableTerms(terms: readonly string[] = [], { countMax, lengthMax = 50 }: TermLimits): string[] {
  const usable = terms.map((term) => term.trim()).filter((term) => term !== "" && term.length <= lengthMax);
  return [...new Set(usable)].slice(0, countMax);
}

interface TermLimits {
  readonly countMax: number;
  /** In characters. */
  readonly lengthMax?: number;
}
