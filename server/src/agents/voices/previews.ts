import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { wavHeader } from "@parley/audio/wav-header";
import { AppError } from "@parley/contract/errors";
import type { NewVoicePreview } from "@parley/contract/voices";
import { isKokoroVoice, languageOf } from "@parley/providers/local/kokoro/kokoro-voices";
import type { Timers } from "@parley/time/clock";
import { within } from "@parley/time/within";
import { splitClauses } from "@parley/voice/conversation/texts/clauses";
import { joinSamples } from "@parley/voice/engine/join-samples";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { spokenForm } from "@parley/voice/text/spoken-form";
import { LRUCache } from "lru-cache";
import type { WorkLimits } from "../../platform/http/limits/work-limiter.ts";
import { isKnownVoice } from "./known-voices.ts";

export interface PreviewVoices {
  readonly light: Pick<SpeechSynthesizer, "speak">;
  /** Opened on first use; null if the installation has only light voices. */
  readonly natural: (() => Promise<Pick<SpeechSynthesizer, "speak">>) | null;
}

/** Between two clauses, about as long as in a call. */
const PAUSE = new Int16Array(samplesIn(120));

/** Speaks a text as a callee would hear it, as a WAV. Throws `not_found` for a voice that does not exist. */
export async function previewVoice(
  voices: PreviewVoices,
  voiceId: string,
  { text, language, variables = {}, pace, pronunciations }: NewVoicePreview,
): Promise<Buffer> {
  if (!isKnownVoice(voiceId)) throw new AppError("not_found", `There is no voice ${JSON.stringify(voiceId)}.`);
  if (isKokoroVoice(voiceId) && voices.natural === null) {
    throw new AppError("invalid_state", "Natural voices are turned off here: set PARLEY_NATURAL_VOICES to on.");
  }
  const voice = isKokoroVoice(voiceId) ? await voices.natural?.() : voices.light;
  const pieces: Int16Array[] = [];
  const style = { language: spokenLanguage(voiceId, language), pace, pronunciations };
  for (const clause of splitClauses(spokenForm(text, variables, style))) {
    const request = { text: clause, voiceId, sampleRateHz: TELEPHONE_RATE_HZ } as const;
    if (voice !== undefined) for await (const piece of spoken(voice.speak(request))) pieces.push(piece);
    pieces.push(PAUSE);
  }
  return toWav(joinSamples(pieces));
}

/** A voice that fails is no fault of the request: it is asked again, or told why not. */
async function* spoken(pieces: AsyncIterable<Int16Array>): AsyncGenerator<Int16Array> {
  try {
    yield* pieces;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (!error.retryable) throw new AppError("invalid_state", `The voice cannot speak this: ${error.message}`);
    const message = "The voice did not speak in time; ask again in a few seconds.";
    throw new AppError("unavailable", message, { retryAfterSeconds: 5 });
  }
}

/** A voice that speaks another language than the requested one reads numbers and the like in its own. */
function spokenLanguage(voiceId: string, language: string): string {
  if (!isKokoroVoice(voiceId)) return language;
  const own = languageOf(voiceId);
  return language.toLowerCase().split("-")[0] === own ? language : own;
}

function toWav(samples: Int16Array): Buffer {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return Buffer.concat([wavHeader({ sampleRateHz: TELEPHONE_RATE_HZ, channels: 1 }, bytes.length), bytes]);
}

/** For an account: rendering a natural voice takes longer than listening to it. */
export const PREVIEW_LIMITS: WorkLimits = {
  atOnceMax: 2,
  perMinuteMax: 30,
  message: "Voices are being played too often; wait a moment.",
};

export interface PreviewCacheDeps {
  readonly clock: Timers;
  /** How long a request waits for a preview. */
  readonly waitMs: number;
  /** For the previews that were heard last. */
  readonly bytesMax: number;
}

/**
 * Previews that were rendered, and those being rendered: requests for the same preview wait for the same rendering. One that
 * takes longer than a request waits is ready for the next request.
 */
export class PreviewCache {
  readonly #clock: Timers;
  readonly #waitMs: number;
  readonly #rendering = new Map<string, Promise<Buffer>>();
  readonly #rendered: LRUCache<string, Buffer>;

  constructor({ clock, waitMs, bytesMax }: PreviewCacheDeps) {
    this.#clock = clock;
    this.#waitMs = waitMs;
    this.#rendered = new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ length }) => length });
  }

  /** Throws `unavailable` when it takes too long; the rendering continues. */
  async get(key: string, render: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.#rendered.get(key);
    if (known !== undefined) return known;
    return within(this.#clock, this.#waitMs, this.#rendering.get(key) ?? this.#render(key, render), () => {
      throw notYet();
    });
  }

  #render(key: string, render: () => Promise<Buffer>): Promise<Buffer> {
    const rendering = render().then((wav) => {
      this.#rendered.set(key, wav);
      return wav;
    });
    this.#rendering.set(key, rendering);
    const forget = () => this.#rendering.delete(key);
    // A failure reaches the requests that wait; there may be none any more.
    rendering.then(forget, forget);
    return rendering;
  }
}

function notYet(): AppError {
  return new AppError("unavailable", "The voice is still being rendered; ask again in a few seconds.", {
    retryAfterSeconds: 5,
  });
}
