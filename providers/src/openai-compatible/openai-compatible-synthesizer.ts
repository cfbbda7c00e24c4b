import { samplesIn } from "@parley/audio/frame";
import { createRateConverter, type RateConverter } from "@parley/audio/rate-converter";
import type { Clock } from "@parley/time/clock";
import { readClause, type SpokenPart } from "@parley/voice/ports/speech-notation";
import type { SpeechRequest, SpeechSynthesizer, SpeechVoice } from "@parley/voice/ports/speech-synthesizer";
import { AudioApi } from "./audio-api.ts";

export interface OpenAiCompatibleSynthesizerOptions {
  readonly apiKey: string | null;
  /** With the version, such as `http://127.0.0.1:8880/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Empty: any, and the server knows them. */
  readonly voices: readonly SpeechVoice[];
  readonly clock: Clock;
  readonly speed?: number;
  /** How the voice should speak, for models that take it. */
  readonly instructions?: string;
  /** `wav` names its rate, so that it fits any server; `pcm` of OpenAI and most others has 24 kHz. */
  readonly format?: "wav" | "pcm";
  readonly pcmRateHz?: number;
  readonly name?: string;
  readonly title?: string;
  readonly fetch?: typeof fetch;
}

const PCM_RATE_HZ = 24_000;
/** What the API allows. */
const [SPEED_MIN, SPEED_MAX] = [0.25, 4];

/**
 * Voices of any server with OpenAI's `POST /audio/speech`, such as Kokoro-FastAPI or Piper behind openedai-speech. Needs
 * PARLEY_TTS_URL; takes PARLEY_TTS_MODEL and PARLEY_TTS_API_KEY.
 */
export function createOpenAiCompatibleSynthesizer(options: OpenAiCompatibleSynthesizerOptions): SpeechSynthesizer {
  const name = options.name ?? "openai-compatible";
  const api = new AudioApi({ ...options, provider: name, title: options.title ?? "The speech server" });

  async function* speak(request: SpeechRequest): AsyncGenerator<Int16Array> {
    const { signal, voiceId, sampleRateHz } = request;
    signal?.throwIfAborted();
    if (options.voices.length > 0 && !options.voices.some(({ id }) => id === voiceId)) {
      throw api.fail(`has no voice ${JSON.stringify(voiceId)}`, false);
    }
    if (api.isClosed) throw api.fail("was closed", false);
    const { parts, pace, pauseMs } = readClause(request.text);
    const input = parts.map(asText).join("").trim();
    if (/[\p{L}\p{N}]/u.test(input)) {
      const format = options.format ?? "wav";
      const speed = Math.min(SPEED_MAX, Math.max(SPEED_MIN, (options.speed ?? 1) * pace));
      const body = {
        model: options.model,
        input,
        voice: voiceId,
        response_format: format,
        ...(speed === 1 ? {} : { speed }),
        ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
      };
      const audio = new PcmStream({ rawRateHz: options.pcmRateHz ?? PCM_RATE_HZ, toHz: sampleRateHz });
      yield* samplesOf(body, audio, signal);
    }
    if (pauseMs > 0) yield new Int16Array(samplesIn(pauseMs, sampleRateHz));
  }

  async function* samplesOf(body: object, audio: PcmStream, signal?: AbortSignal): AsyncGenerator<Int16Array> {
    let hasAudio = false;
    try {
      for await (const piece of api.post("audio/speech", JSON.stringify(body), signal, checkType)) {
        const samples = audio.take(piece);
        hasAudio ||= samples.length > 0;
        if (samples.length > 0) yield samples;
        signal?.throwIfAborted();
      }
      const rest = audio.finish();
      if (rest.length > 0) yield rest;
      hasAudio ||= rest.length > 0;
    } catch (error) {
      if (error instanceof UnusableAudioError) throw api.fail(error.message, false);
      throw error;
    }
    if (!hasAudio) throw api.fail("sent no audio", true);
  }

  function checkType(contentType: string): void {
    if (/mpeg|mp3|ogg|opus|aac|flac|html|json/i.test(contentType)) {
      throw api.fail(`answered with ${contentType.split(";")[0]} instead of WAV or PCM`, false);
    }
  }

  return {
    name,
    voices: options.voices,
    speak,
    async close() {
      api.close();
    },
  };
}

/** These servers read no phonemes: a respelling is read as it is, and IPA is left to the server's own pronunciation. */
function asText(part: SpokenPart): string {
  if (part.type === "text") return part.text;
  if (part.type === "emphasis") return part.word;
  return /^\/.*\/$/.test(part.spoken) ? part.written : part.spoken;
}

/** Why audio cannot be used, as a clause after the name of its sender. */
class UnusableAudioError extends Error {
  override readonly name = "UnusableAudioError";
}

const HEADER_BYTES_MAX = 64 * 1024;
const PCM_FORMAT = 1;
const EXTENSIBLE_FORMAT = 0xfffe;
/** Servers that stream a file before they know its length write 0 or something this large. */
const KNOWN_SIZE_MAX = 0x7fff_0000;

interface WavFormat {
  readonly sampleRateHz: number;
  readonly channels: number;
}

/**
 * Turns 16-bit audio that arrives in pieces into samples of one channel at the rate that is wanted. A WAV header is recognized and says
 * the format; without one, it is PCM of the given rate. Pieces may be split anywhere, within a sample too.
 */
class PcmStream {
  readonly #toHz: number;
  readonly #rawRateHz: number;
  #waiting: Uint8Array = new Uint8Array(0);
  #converter: RateConverter | null = null;
  #channels = 1;
  #bytesLeft = Number.POSITIVE_INFINITY;

  constructor({ rawRateHz, toHz }: { readonly rawRateHz: number; readonly toHz: number }) {
    this.#rawRateHz = rawRateHz;
    this.#toHz = toHz;
  }

  take(piece: Uint8Array): Int16Array {
    this.#waiting = joined(this.#waiting, piece);
    if (this.#converter === null && !this.#readHeader(false)) return new Int16Array(0);
    return this.#convert();
  }

  /** The rest, when there are no more bytes. */
  finish(): Int16Array {
    if (this.#converter === null) this.#readHeader(true);
    const last = this.#convert();
    const rest = this.#converter?.flush() ?? new Int16Array(0);
    const samples = new Int16Array(last.length + rest.length);
    samples.set(last);
    samples.set(rest, last.length);
    return samples;
  }

  /** False while there is too little to tell. */
  #readHeader(isLast: boolean): boolean {
    const bytes = this.#waiting;
    if (bytes.length < 12 && !isLast) return false;
    if (nameAt(bytes, 0) !== "RIFF" || nameAt(bytes, 8) !== "WAVE") {
      this.#converter = createRateConverter(this.#rawRateHz, this.#toHz);
      return true;
    }
    let format: WavFormat | null = null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 12; at + 8 <= bytes.length; ) {
      const size = view.getUint32(at + 4, true);
      const name = nameAt(bytes, at);
      if (name === "data") {
        if (format === null) throw new UnusableAudioError("sent a WAV file that does not say its format");
        if (size > 0 && size < KNOWN_SIZE_MAX) this.#bytesLeft = size;
        this.#channels = format.channels;
        this.#converter = createRateConverter(format.sampleRateHz, this.#toHz);
        this.#waiting = bytes.slice(at + 8);
        return true;
      }
      if (name === "fmt " && at + 24 <= bytes.length) format = readFormat(view, at + 8, size);
      at += 8 + size + (size % 2);
    }
    if (isLast || bytes.length > HEADER_BYTES_MAX) throw new UnusableAudioError("sent a WAV file without audio");
    return false;
  }

  #convert(): Int16Array {
    if (this.#converter === null) return new Int16Array(0);
    const frameBytes = 2 * this.#channels;
    const usable = Math.min(this.#waiting.length, this.#bytesLeft);
    const frames = Math.floor(usable / frameBytes);
    const view = new DataView(this.#waiting.buffer, this.#waiting.byteOffset, this.#waiting.byteLength);
    const samples = new Int16Array(frames);
    for (let index = 0; index < frames; index++) {
      let sum = 0;
      for (let channel = 0; channel < this.#channels; channel++) {
        sum += view.getInt16(index * frameBytes + 2 * channel, true);
      }
      samples[index] = Math.round(sum / this.#channels);
    }
    this.#bytesLeft -= frames * frameBytes;
    this.#waiting = this.#waiting.slice(frames * frameBytes);
    return this.#converter.process(samples);
  }
}

function readFormat(view: DataView, at: number, size: number): WavFormat {
  const named = view.getUint16(at, true);
  const isExtended = named === EXTENSIBLE_FORMAT && size >= 26 && at + 26 <= view.byteLength;
  const format = isExtended ? view.getUint16(at + 24, true) : named;
  const channels = view.getUint16(at + 2, true);
  const sampleRateHz = view.getUint32(at + 4, true);
  const bits = view.getUint16(at + 14, true);
  if (format !== PCM_FORMAT || bits !== 16 || channels < 1 || channels > 2) {
    throw new UnusableAudioError(`sent a WAV file with format ${format}, ${bits} bits and ${channels} channels`);
  }
  if (sampleRateHz < 4_000 || sampleRateHz > 192_000) {
    throw new UnusableAudioError(`sent a WAV file with a rate of ${sampleRateHz} Hz`);
  }
  return { sampleRateHz, channels };
}

function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(before.length + after.length);
  bytes.set(before);
  bytes.set(after, before.length);
  return bytes;
}
