import { randomUUID } from "node:crypto";
import { durationMsOf, samplesIn } from "@parley/audio/frame";
import { Resampler } from "@parley/audio/resample";
import type { Clock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { readClause, type SpokenPart } from "@parley/voice/ports/speech-notation";
import type { SpeechRequest, SpeechSynthesizer, SpeechVoice, WordTime } from "@parley/voice/ports/speech-synthesizer";
import { unlessAborted } from "../language-model/unless-aborted.ts";
import { openVendorSocket, type VendorSocket, type VendorSocketOptions } from "./vendor-socket.ts";
import type { VendorIdentity } from "./vendor-status.ts";

/** A clause as it is sent to a vendor. */
export interface VendorClause {
  readonly contextId: string;
  readonly text: string;
  readonly voice: SpeechVoice;
  /** 1 is normal. */
  readonly pace: number;
  /** The vendor's audio is requested at this rate. */
  readonly sampleRateHz: VendorRateHz;
}

type VendorRateHz = 8_000 | 16_000 | 24_000;

/** What a message of a vendor says about a context. */
export interface ContextMessage {
  /** Null: about the whole connection. */
  readonly contextId: string | null;
  /** 16-bit samples at the requested rate. */
  readonly samples?: Int16Array;
  /** More words with their times. Times count from the beginning of the clause, or of this message's audio. */
  readonly words?: readonly TimedText[];
  readonly timesCountFrom?: "clause" | "message";
  readonly isFinal?: boolean;
  readonly error?: ProviderError;
}

/** A piece of the text as it was sent. A word may come in several pieces; white space ends it. */
export interface TimedText {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** The wire protocol of a vendor that renders several clauses at a time on one connection. */
export interface ContextProtocol extends VendorIdentity {
  /** Clauses with the same address share connections. */
  addressOf(voice: SpeechVoice, sampleRateHz: VendorRateHz): string;
  readonly headers: Readonly<Record<string, string>>;
  readonly explainClose: NonNullable<VendorSocketOptions["explainClose"]>;
  /** Clauses that a connection renders at the same time. */
  readonly contextsMax: number;
  begin(clause: VendorClause): readonly string[];
  cancel(contextId: string): readonly string[];
  /** Throws if the message cannot be understood. */
  read(message: string): readonly ContextMessage[];
}

export interface ContextSynthesizerOptions {
  readonly clock: Clock;
  readonly voices: readonly SpeechVoice[];
  /** The language of voices that are not among them, which may be voices of the operator's account. Omitted: they are unknown. */
  readonly languageOfOthers?: string;
  readonly connectWithinMs?: number;
  /** From the request to the first audio, and from one piece of audio to the next. */
  readonly audioWithinMs?: number;
  /** A connection without work is closed after this time. */
  readonly keepWarmMs?: number;
  readonly connectionsMax?: number;
}

const CONNECT_WITHIN_MS = 5_000;
const AUDIO_WITHIN_MS = 8_000;
const KEEP_WARM_MS = 60_000;
const CONNECTIONS_MAX = 64;
/** No clause is this long: a vendor that sends more has a fault. */
const CLAUSE_MS_MAX = 180_000;
/** For the closing handshakes when the synthesizer is closed. */
const CLOSE_WITHIN_MS = 3_000;

interface Context {
  readonly clause: VendorClause;
  readonly pieces: Int16Array[];
  receivedSamples: number;
  times: WordTimes;
  isFinal: boolean;
  error: ProviderError | null;
  onChange: () => void;
}

interface Connection {
  readonly address: string;
  readonly contexts: Map<string, Context>;
  /** Clauses that wait for the socket or have a context. */
  users: number;
  readonly socket: Promise<VendorSocket>;
  /** Resolves when the socket is gone, or was never opened. */
  readonly gone: PromiseWithResolvers<void>;
  isUsable: boolean;
  cancelIdle: () => void;
}

/** A synthesizer for vendors whose connections carry one context per clause. Connections are kept open for the next clause. */
export function createContextSynthesizer(
  protocol: ContextProtocol,
  options: ContextSynthesizerOptions,
): SpeechSynthesizer {
  const { provider, title } = protocol;
  const { clock, voices, languageOfOthers } = options;
  const otherVoice = (id: string): SpeechVoice | undefined =>
    languageOfOthers === undefined ? undefined : { id, language: languageOfOthers, description: "" };
  const audioWithinMs = options.audioWithinMs ?? AUDIO_WITHIN_MS;
  const connections = new Set<Connection>();
  const closing = new AbortController();

  const failed = (message: string, retryable: boolean) => new ProviderError(provider, message, { retryable });

  function connect(address: string): Connection {
    const contexts = new Map<string, Context>();
    const gone = Promise.withResolvers<void>();
    const socket = openVendorSocket({
      ...protocol,
      url: address,
      clock,
      connectWithinMs: options.connectWithinMs ?? CONNECT_WITHIN_MS,
      signal: closing.signal,
      onMessage(data) {
        for (const message of protocol.read(typeof data === "string" ? data : new TextDecoder().decode(data))) {
          if (message.contextId === null && message.error !== undefined) throw message.error;
          const context = contexts.get(message.contextId ?? "");
          // Messages of a cancelled clause still arrive for a while.
          if (context !== undefined) take(context, message);
        }
      },
      onClosed: (error) => end(error ?? failed(`${title} closed the connection while it was speaking.`, true)),
    });
    const connection: Connection = {
      address,
      contexts,
      users: 0,
      socket,
      gone,
      isUsable: true,
      cancelIdle: () => undefined,
    };
    function end(error: ProviderError): void {
      forget(connection);
      for (const context of contexts.values()) {
        context.error ??= error;
        context.onChange();
      }
      gone.resolve();
    }
    socket.catch(() => {
      forget(connection);
      gone.resolve();
    });
    connections.add(connection);
    return connection;
  }

  /** It takes no more clauses. */
  function forget(connection: Connection): void {
    connection.isUsable = false;
    connection.cancelIdle();
    connections.delete(connection);
  }

  function take(context: Context, message: ContextMessage): void {
    const { clause } = context;
    if (message.words !== undefined) {
      const receivedMs = durationMsOf(context.receivedSamples, clause.sampleRateHz);
      context.times.add(message.words, message.timesCountFrom === "message" ? receivedMs : 0);
    }
    if (message.samples !== undefined && message.samples.length > 0) {
      context.pieces.push(message.samples);
      context.receivedSamples += message.samples.length;
      if (context.receivedSamples > samplesIn(CLAUSE_MS_MAX, clause.sampleRateHz)) {
        context.error ??= failed(`${title} did not stop speaking.`, true);
      }
    }
    if (message.isFinal) context.isFinal = true;
    if (message.error !== undefined) context.error ??= message.error;
    context.onChange();
  }

  function connectionFor(address: string): Connection {
    let all = 0;
    for (const connection of connections) {
      all += 1;
      if (connection.address === address && connection.users < protocol.contextsMax) return connection;
    }
    if (all < (options.connectionsMax ?? CONNECTIONS_MAX)) return connect(address);
    // An idle connection for another voice makes room.
    const idle = [...connections].find(({ users }) => users === 0);
    if (idle === undefined) throw failed(`All ${all} connections to ${title} are busy.`, true);
    closeConnection(idle);
    return connect(address);
  }

  /** Where the last place at an address is taken, another connection is opened: the next clause would wait for its handshake. */
  function openNext(address: string): void {
    const isFull = [...connections].every((each) => each.address !== address || each.users >= protocol.contextsMax);
    if (isFull && connections.size < (options.connectionsMax ?? CONNECTIONS_MAX)) keepWarm(connect(address));
  }

  function keepWarm(connection: Connection): void {
    connection.cancelIdle = clock.setTimer(options.keepWarmMs ?? KEEP_WARM_MS, () => closeConnection(connection));
  }

  function closeConnection(connection: Connection): void {
    forget(connection);
    // Not opened means nothing to close.
    connection.socket.then(
      (socket) => socket.close(),
      () => undefined,
    );
  }

  /** Resolves at the next change of the context, or rejects at the end of the time or by the signal. */
  async function changed(context: Context, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    context.onChange = resolve;
    const cancelTimer = clock.setTimer(audioWithinMs, () =>
      reject(failed(`${title} sent no audio for ${audioWithinMs} ms.`, true)),
    );
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await promise;
    } finally {
      cancelTimer();
      context.onChange = () => undefined;
      signal.removeEventListener("abort", onAbort);
    }
  }

  async function* speak(request: SpeechRequest): AsyncGenerator<Int16Array> {
    const signal = AbortSignal.any([closing.signal, ...(request.signal ? [request.signal] : [])]);
    request.signal?.throwIfAborted();
    signal.throwIfAborted();
    const found = voices.find(({ id }) => id === request.voiceId) ?? otherVoice(request.voiceId);
    if (found === undefined) throw failed(`${title} has no voice ${JSON.stringify(request.voiceId)} here.`, false);
    const voice = found.language === "mul" ? { ...found, language: request.language ?? "mul" } : found;
    const { parts, pace, pauseMs } = readClause(request.text);
    const text = parts.map(sayable).join("").trim();
    if (/[\p{L}\p{N}]/u.test(text)) {
      const sampleRateHz = request.sampleRateHz === 48_000 ? 24_000 : request.sampleRateHz;
      const clause = { contextId: randomUUID(), text, voice, pace, sampleRateHz };
      const written = parts.map((part) => (part.type === "said_as" ? part.written : sayable(part))).join("");
      const onWordTimes = countWords(written) === countWords(text) ? request.onWordTimes : undefined;
      const pieces = render(clause, signal, onWordTimes);
      if (sampleRateHz === request.sampleRateHz) yield* pieces;
      else yield* resampled(pieces, sampleRateHz, request.sampleRateHz);
    }
    if (pauseMs > 0) yield new Int16Array(samplesIn(pauseMs, request.sampleRateHz));
  }

  async function* render(
    clause: VendorClause,
    signal: AbortSignal,
    onWordTimes: SpeechRequest["onWordTimes"],
  ): AsyncGenerator<Int16Array> {
    const connection = connectionFor(protocol.addressOf(clause.voice, clause.sampleRateHz));
    connection.users += 1;
    connection.cancelIdle();
    openNext(connection.address);
    const context: Context = {
      clause,
      pieces: [],
      receivedSamples: 0,
      times: new WordTimes(clause.text),
      isFinal: false,
      error: null,
      onChange: () => undefined,
    };
    let socket: VendorSocket | null = null;
    try {
      socket = await unlessAborted(connection.socket, signal);
      if (!connection.isUsable) throw failed(`${title} closed the connection.`, true);
      connection.contexts.set(clause.contextId, context);
      for (const message of protocol.begin(clause)) socket.send(message);
      for (;;) {
        signal.throwIfAborted();
        const piece = context.pieces.shift();
        const times = context.times.takeChanged(context.isFinal);
        if (times !== null) onWordTimes?.(times);
        if (piece !== undefined) yield piece;
        else if (context.error !== null) throw context.error;
        else if (context.isFinal) return;
        else await changed(context, signal);
      }
    } finally {
      connection.contexts.delete(clause.contextId);
      connection.users -= 1;
      if (connection.isUsable) {
        if (!context.isFinal) for (const message of protocol.cancel(clause.contextId)) socket?.send(message);
        if (connection.users === 0) keepWarm(connection);
      }
    }
  }

  return {
    name: provider,
    voices,
    speak,
    async close() {
      if (!closing.signal.aborted) closing.abort(failed(`The connection to ${title} was closed.`, false));
      const open = [...connections];
      for (const connection of open) closeConnection(connection);
      const limit = Promise.withResolvers<void>();
      const cancelTimer = clock.setTimer(CLOSE_WITHIN_MS, () => limit.resolve());
      await Promise.race([Promise.all(open.map(({ gone }) => gone.promise)), limit.promise]);
      cancelTimer();
    },
  };
}

/** Vendors take no phones here: what is only given in IPA is read as it is written. */
function sayable(part: SpokenPart): string {
  if (part.type === "text") return part.text;
  if (part.type === "emphasis") return part.word;
  return /^\/.*\/$/.test(part.spoken) ? part.written : part.spoken;
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}

/** Collects the times of words from pieces of the text, as long as they are pieces of this text. */
class WordTimes {
  readonly #words: readonly string[];
  readonly #times: WordTime[] = [];
  #current: { text: string; startMs: number; endMs: number } | null = null;
  #isForeign = false;
  #reported = 0;

  constructor(text: string) {
    this.#words = text.split(/\s+/).filter((word) => word !== "");
  }

  add(pieces: readonly TimedText[], offsetMs: number): void {
    for (const { text, startMs, endMs } of pieces) {
      for (const part of text.split(/(\s+)/)) {
        if (part === "") continue;
        if (part.trim() === "") this.#endWord();
        else {
          this.#current ??= { text: "", startMs: startMs + offsetMs, endMs: 0 };
          this.#current.text += part;
          this.#current.endMs = Math.max(endMs + offsetMs, this.#current.startMs + 1);
        }
      }
    }
    // The last word of a clause has no space after it.
    if (this.#current?.text === this.#words.at(-1) && this.#times.length === this.#words.length - 1) this.#endWord();
  }

  /** All times so far if there are more than before. */
  takeChanged(isFinal: boolean): readonly WordTime[] | null {
    if (isFinal) this.#endWord();
    if (this.#times.length === this.#reported) return null;
    this.#reported = this.#times.length;
    return this.#times.slice();
  }

  #endWord(): void {
    const word = this.#current;
    this.#current = null;
    if (word === null || this.#isForeign) return;
    // A word that was changed or left out: what follows cannot be assigned.
    if (word.text !== this.#words[this.#times.length]) this.#isForeign = true;
    else this.#times.push({ startMs: word.startMs, endMs: word.endMs });
  }
}

async function* resampled(
  pieces: AsyncIterable<Int16Array>,
  fromHz: VendorRateHz,
  toHz: SpeechRequest["sampleRateHz"],
): AsyncGenerator<Int16Array> {
  const resampler = new Resampler(fromHz, toHz);
  for await (const piece of pieces) {
    const output = new Int16Array(resampler.outputSamplesFor(piece.length));
    resampler.process(piece, output);
    yield output;
  }
}

/** Samples from little-endian bytes, copied. An odd byte at the end is dropped. */
export function samplesFromBytes(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length >> 1);
  // Everything that Node runs on is little-endian as well.
  new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.byteLength));
  return samples;
}
