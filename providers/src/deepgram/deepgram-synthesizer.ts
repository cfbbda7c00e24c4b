import { samplesIn } from "@parley/audio/frame";
import type { Clock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { readClause, type SpokenPart } from "@parley/voice/ports/speech-notation";
import type { SpeechRequest, SpeechSynthesizer, SpeechVoice } from "@parley/voice/ports/speech-synthesizer";
import { openVendorSocket, type VendorSocket } from "../websocket/vendor-socket.ts";
import { AURA_VOICES } from "./aura-voices.ts";
import { DEEPGRAM, type DeepgramAccess, deepgramAddress, deepgramIdentity } from "./deepgram-access.ts";

const CONNECT_WITHIN_MS = 5_000;
/** Until the first audio and between pieces of it: silence on the line. */
const AUDIO_WITHIN_MS = 5_000;
/** Deepgram takes 20 flushes a minute on one connection. */
const FLUSHES_MAX = 20;
const FLUSH_WINDOW_MS = 60_000;
const TEXT_LENGTH_MAX = 1_900;
/** Several minutes of speech: a clause never is. */
const AUDIO_BYTES_MAX = 16 * 1024 * 1024;
/** Connections without work: enough for the calls of a worker process that speak at about the same time. */
const IDLE_MAX = 8;
const IDLE_FOR_MS = 50_000;
/** The paces that Deepgram takes. */
const SPEED_MIN = 0.7;
const SPEED_MAX = 1.5;

export interface DeepgramSynthesizerOptions extends DeepgramAccess {
  /** By default all voices of Aura-2. */
  readonly voices?: readonly SpeechVoice[];
}

/**
 * Deepgram's voices (`/v1/speak`). A connection speaks one clause at a time and is kept for the next one. Needs
 * `PARLEY_DEEPGRAM_API_KEY`.
 */
export function createDeepgramSynthesizer(options: DeepgramSynthesizerOptions): SpeechSynthesizer {
  const { voices = AURA_VOICES, clock } = options;
  const idle: AuraConnection[] = [];
  const all = new Set<AuraConnection>();
  const ending = new AbortController();

  async function connect(sound: AuraSound, signal: AbortSignal): Promise<AuraConnection> {
    const connection = new AuraConnection(sound, clock);
    all.add(connection);
    void connection.gone.then(() => {
      all.delete(connection);
      forget(connection);
    });
    const { voiceId, sampleRateHz, speed } = sound;
    const query = new URLSearchParams({ model: voiceId, encoding: "linear16", sample_rate: String(sampleRateHz) });
    if (speed !== 1) query.set("speed", String(speed));
    await connection.open(
      {
        ...deepgramIdentity(options),
        ...deepgramAddress(options, "/v1/speak", query),
        clock,
        connectWithinMs: CONNECT_WITHIN_MS,
      },
      signal,
    );
    return connection;
  }

  function forget(connection: AuraConnection): void {
    const index = idle.indexOf(connection);
    if (index >= 0) idle.splice(index, 1);
  }

  function takeIdle({ voiceId, sampleRateHz, speed }: AuraSound): AuraConnection | null {
    const isSame = ({ sound }: AuraConnection) =>
      sound.voiceId === voiceId && sound.sampleRateHz === sampleRateHz && sound.speed === speed;
    const found = idle.findLast(isSame) ?? null;
    if (found) forget(found);
    found?.setIdle(false);
    return found;
  }

  function keep(connection: AuraConnection): void {
    if (ending.signal.aborted || !connection.isUsable()) return connection.close();
    connection.setIdle(true);
    idle.push(connection);
    if (idle.length > IDLE_MAX) idle[0]?.close();
  }

  /** So that the next clause need not wait for a handshake. If it fails, the next request connects by itself. */
  function replace({ sound }: AuraConnection): void {
    if (ending.signal.aborted) return;
    connect(sound, ending.signal).then(keep, () => undefined);
  }

  async function* speak(request: SpeechRequest): AsyncGenerator<Int16Array> {
    const { voiceId, sampleRateHz } = request;
    const signal = request.signal ? AbortSignal.any([request.signal, ending.signal]) : ending.signal;
    signal.throwIfAborted();
    if (!voices.some(({ id }) => id === voiceId)) {
      throw new ProviderError(DEEPGRAM, `Deepgram has no voice "${voiceId}".`, { retryable: false });
    }
    const { parts, pace, pauseMs } = readClause(request.text);
    const text = parts.map(asText).join("").trim();
    const speed = Math.min(SPEED_MAX, Math.max(SPEED_MIN, pace));
    if (/[\p{L}\p{N}]/u.test(text)) yield* speakText(text, { voiceId, sampleRateHz, speed }, signal);
    if (pauseMs > 0) yield new Int16Array(samplesIn(pauseMs, sampleRateHz));
  }

  async function* speakText(text: string, sound: AuraSound, signal: AbortSignal): AsyncGenerator<Int16Array> {
    let connection = takeIdle(sound);
    let wasKept = connection !== null;
    let isWhole = false;
    let hasAudio = false;
    connection ??= await connect(sound, signal);
    try {
      while (!isWhole) {
        try {
          for await (const piece of connection.speak(text, signal)) {
            hasAudio = true;
            yield piece;
          }
          isWhole = true;
        } catch (error) {
          // A connection that was idle may have been closed by the vendor in the same moment.
          const mayRetry = wasKept && !hasAudio && connection.hasFailed && !signal.aborted;
          if (!mayRetry) throw error;
          wasKept = false;
          connection = await connect(sound, signal);
        }
      }
    } finally {
      if (isWhole && connection.isUsable()) keep(connection);
      else {
        // What is still on its way belongs to no one: another connection takes over.
        connection.close();
        if (!connection.hasFailed) replace(connection);
      }
    }
  }

  return {
    name: DEEPGRAM,
    voices,
    speak,
    async close() {
      ending.abort(new ProviderError(DEEPGRAM, "The synthesizer was closed.", { retryable: false }));
      for (const connection of all) connection.close();
      await Promise.all([...all].map(({ gone }) => gone));
    },
  };
}

type SocketOptions = Omit<Parameters<typeof openVendorSocket>[0], "onMessage" | "onClosed" | "signal">;

/** What is fixed for a connection. */
interface AuraSound {
  readonly voiceId: string;
  readonly sampleRateHz: number;
  readonly speed: number;
}

/** One WebSocket, which speaks one clause at a time. */
class AuraConnection {
  readonly sound: AuraSound;
  readonly #clock: Clock;
  readonly #gone = Promise.withResolvers<void>();
  #socket: VendorSocket | null = null;
  #isClosed = false;
  #failure: ProviderError | null = null;
  #flushTimesMs: number[] = [];
  #cancelIdle: () => void = () => undefined;
  /** What the current clause has received and its listener has not taken. */
  #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  #isFlushed = true;
  #warning = "";
  #wakeUp: () => void = () => undefined;

  constructor(sound: AuraSound, clock: Clock) {
    this.sound = sound;
    this.#clock = clock;
  }

  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  async open(options: SocketOptions, signal: AbortSignal): Promise<void> {
    try {
      this.#socket = await openVendorSocket({
        ...options,
        signal,
        onMessage: (data) => this.#receive(data),
        onClosed: (error) => this.#end(error),
      });
    } catch (error) {
      this.#gone.resolve();
      throw error;
    }
    if (this.#isClosed) this.#socket.close();
  }

  isUsable(): boolean {
    const sinceMs = this.#clock.now() - FLUSH_WINDOW_MS;
    this.#flushTimesMs = this.#flushTimesMs.filter((atMs) => atMs > sinceMs);
    return !this.#isClosed && !this.#failure && this.#flushTimesMs.length < FLUSHES_MAX;
  }

  setIdle(isIdle: boolean): void {
    this.#cancelIdle();
    this.#cancelIdle = isIdle ? this.#clock.setTimer(IDLE_FOR_MS, () => this.close()) : () => undefined;
  }

  async *speak(text: string, signal: AbortSignal): AsyncGenerator<Int16Array> {
    this.#pieces = [];
    this.#waitingBytes = 0;
    this.#isFlushed = false;
    this.#warning = "";
    for (const part of partsOf(text)) this.#socket?.send(JSON.stringify({ type: "Speak", text: part }));
    this.#socket?.send(JSON.stringify({ type: "Flush" }));
    this.#flushTimesMs.push(this.#clock.now());
    let odd: number | null = null;
    for (;;) {
      signal.throwIfAborted();
      const piece = this.#pieces.shift();
      if (piece) {
        this.#waitingBytes -= piece.length;
        const bytes: Uint8Array = odd === null ? piece : Uint8Array.of(odd, ...piece);
        odd = bytes.length % 2 === 1 ? (bytes.at(-1) ?? null) : null;
        if (bytes.length > 1) yield new Int16Array(bytes.slice(0, bytes.length - (bytes.length % 2)).buffer);
      } else if (this.#isFlushed) return;
      else if (this.#failure) throw this.#failure;
      else if (this.#isClosed) throw new ProviderError(DEEPGRAM, "The connection was closed.", { retryable: true });
      else await this.#untilMore(signal);
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelIdle();
    this.#socket?.close();
    this.#wakeUp();
  }

  async #untilMore(signal: AbortSignal): Promise<void> {
    const more = Promise.withResolvers<void>();
    this.#wakeUp = more.resolve;
    const cancelLimit = this.#clock.setTimer(AUDIO_WITHIN_MS, () => {
      const detail = this.#warning === "" ? "" : ` It warned: ${this.#warning}`;
      const message = `Deepgram sent no audio for ${AUDIO_WITHIN_MS} ms.${detail}`;
      more.reject(new ProviderError(DEEPGRAM, message, { retryable: true }));
    });
    signal.addEventListener("abort", this.#wakeUp, { once: true });
    try {
      await more.promise;
    } finally {
      cancelLimit();
      signal.removeEventListener("abort", this.#wakeUp);
      this.#wakeUp = () => undefined;
    }
  }

  #receive(data: string | Uint8Array): void {
    if (typeof data !== "string") {
      // Audio that no clause asked for.
      if (this.#isFlushed) return;
      this.#pieces.push(data);
      this.#waitingBytes += data.length;
      if (this.#waitingBytes > AUDIO_BYTES_MAX) {
        throw new ProviderError(DEEPGRAM, "Deepgram sent more audio than any clause has.", { retryable: true });
      }
    } else {
      const message: { type?: unknown; description?: unknown } = JSON.parse(data);
      if (message.type === "Flushed") this.#isFlushed = true;
      else if (message.type === "Warning") this.#warning = String(message.description ?? "").slice(0, 200);
      else if (message.type === "Error") {
        const detail = String(message.description ?? "").slice(0, 200);
        throw new ProviderError(DEEPGRAM, `Deepgram reports a failure: ${detail}`, { retryable: true });
      }
    }
    this.#wakeUp();
  }

  #end(error: ProviderError | null): void {
    this.#cancelIdle();
    if (!this.#isClosed) {
      this.#failure = error ?? new ProviderError(DEEPGRAM, "Deepgram closed the connection.", { retryable: true });
      this.#wakeUp();
    }
    this.#gone.resolve();
  }
}

/** Aura reads no phonemes: a respelling is read as it is written, and IPA is left to its own pronunciation. */
function asText(part: SpokenPart): string {
  if (part.type === "text") return part.text;
  if (part.type === "emphasis") return part.word;
  return /^\/.*\/$/.test(part.spoken) ? part.written : part.spoken;
}

/** Pieces that Deepgram takes, cut between words. */
function partsOf(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${TEXT_LENGTH_MAX}}(?=\\s|$)|[\\s\\S]{1,${TEXT_LENGTH_MAX}}`, "g")) ?? [];
}
