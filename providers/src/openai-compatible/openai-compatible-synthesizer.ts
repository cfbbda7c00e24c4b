import { samplesIn } from "@parley/audio/frame";
import type { Clock } from "@parley/time/clock";
import { readClause, type SpokenPart } from "@parley/voice/ports/speech-notation";
import type { SpeechRequest, SpeechSynthesizer, SpeechVoice } from "@parley/voice/ports/speech-synthesizer";
import { AudioApi } from "./audio-api.ts";
import { PcmStream, UnusableAudioError } from "./pcm-stream.ts";

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
