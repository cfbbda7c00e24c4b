import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { wavHeader } from "@parley/audio/wav-header";
import { AppError } from "@parley/contract/errors";
import type { NewVoicePreview } from "@parley/contract/voices";
import { fillVariables } from "@parley/flow/placeholders";
import { isKokoroVoice } from "@parley/providers/local/kokoro/kokoro-voices";
import type { Timers } from "@parley/time/clock";
import { within } from "@parley/time/within";
import { splitClauses } from "@parley/voice/conversation/texts/clauses";
import { joinSamples } from "@parley/voice/engine/join-samples";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { toSpeech } from "@parley/voice/text/to-speech/to-speech";
import { isKnownVoice } from "./known-voices.ts";

export interface PreviewVoices {
  readonly light: Pick<SpeechSynthesizer, "speak">;
  /** Opened when somebody first wants to hear one; null where the installation has light voices alone. */
  readonly natural: (() => Promise<Pick<SpeechSynthesizer, "speak">>) | null;
}

/** Between two clauses, about as long as in a call. */
const PAUSE = new Int16Array(samplesIn(120));

/** Speaks a text as a callee would hear it, as a WAV. Throws `not_found` for a voice that does not exist. */
export async function previewVoice(
  voices: PreviewVoices,
  voiceId: string,
  { text, language, variables = {} }: NewVoicePreview,
): Promise<Buffer> {
  if (!isKnownVoice(voiceId)) throw new AppError("not_found", `There is no voice ${JSON.stringify(voiceId)}.`);
  if (isKokoroVoice(voiceId) && voices.natural === null) {
    throw new AppError("invalid_state", "Natural voices are turned off here: set PARLEY_NATURAL_VOICES to on.");
  }
  const voice = isKokoroVoice(voiceId) ? await voices.natural?.() : voices.light;
  const pieces: Int16Array[] = [];
  for (const clause of splitClauses(toSpeech(fillVariables(text, variables), language))) {
    const request = { text: clause, voiceId, sampleRateHz: TELEPHONE_RATE_HZ } as const;
    if (voice !== undefined) for await (const piece of voice.speak(request)) pieces.push(piece);
    pieces.push(PAUSE);
  }
  return toWav(joinSamples(pieces));
}

function toWav(samples: Int16Array): Buffer {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return Buffer.concat([wavHeader({ sampleRateHz: TELEPHONE_RATE_HZ, channels: 1 }, bytes.length), bytes]);
}

/** How much an account may have spoken for it: rendering a natural voice takes longer than hearing it. */
const AT_ONCE_MAX = 2;
const PER_MINUTE_MAX = 30;
const MINUTE_MS = 60_000;

/** Lets previews through within the limits of an account, at this process. */
export class PreviewLimiter {
  readonly #nowMs: () => number;
  readonly #accounts = new Map<string, { underWay: number; begunMs: number[] }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Takes a place and returns the function that gives it back, or throws 429. */
  take(accountId: string): () => void {
    const nowMs = this.#nowMs();
    const account = this.#accounts.get(accountId) ?? { underWay: 0, begunMs: [] };
    const recent = account.begunMs.filter((begunMs) => begunMs > nowMs - MINUTE_MS);
    const [oldest = nowMs] = recent;
    if (recent.length >= PER_MINUTE_MAX) throw tooMany(Math.ceil((oldest + MINUTE_MS - nowMs) / 1000));
    if (account.underWay >= AT_ONCE_MAX) throw tooMany(2);
    this.#forgetOthers(nowMs);
    this.#accounts.set(accountId, { underWay: account.underWay + 1, begunMs: [...recent, nowMs] });
    let isGivenBack = false;
    return () => {
      const current = this.#accounts.get(accountId);
      if (isGivenBack || current === undefined) return;
      isGivenBack = true;
      current.underWay -= 1;
    };
  }

  #forgetOthers(nowMs: number): void {
    for (const [id, { underWay, begunMs }] of this.#accounts) {
      if (underWay === 0 && (begunMs.at(-1) ?? 0) <= nowMs - MINUTE_MS) this.#accounts.delete(id);
    }
  }
}

function tooMany(retryAfterSeconds: number): AppError {
  return new AppError("rate_limited", "Voices are being heard too often; wait a moment.", {
    retryAfterSeconds: Math.max(1, retryAfterSeconds),
  });
}

export interface PreviewCacheDeps {
  readonly clock: Timers;
  /** How long somebody waits for a voice. */
  readonly waitMs: number;
  /** For the previews that were heard last. */
  readonly bytesMax: number;
}

/**
 * Keeps what was spoken, and what is being spoken: whoever wants to hear the same waits for the same, and a voice that takes
 * longer than somebody waits is ready when it is asked for again.
 */
export class PreviewCache {
  readonly #deps: PreviewCacheDeps;
  readonly #speaking = new Map<string, Promise<Buffer>>();
  readonly #spoken = new Map<string, Buffer>();
  #bytes = 0;

  constructor(deps: PreviewCacheDeps) {
    this.#deps = deps;
  }

  /** Throws `unavailable` when it takes too long; the speaking goes on. */
  async take(key: string, speak: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.#spoken.get(key);
    if (known !== undefined) return known;
    const { clock, waitMs } = this.#deps;
    return within(clock, waitMs, this.#join(key, speak), () => {
      throw notYet();
    });
  }

  #join(key: string, speak: () => Promise<Buffer>): Promise<Buffer> {
    const speaking = this.#speaking.get(key);
    if (speaking !== undefined) return speaking;
    const begun = speak().then((wav) => {
      this.#keep(key, wav);
      return wav;
    });
    this.#speaking.set(key, begun);
    const forget = () => this.#speaking.delete(key);
    // Whoever waited has heard of the failure; nobody may be waiting any more.
    begun.then(forget, forget);
    return begun;
  }

  #keep(key: string, wav: Buffer): void {
    this.#spoken.set(key, wav);
    this.#bytes += wav.length;
    for (const [oldest, { length }] of this.#spoken) {
      if (this.#bytes <= this.#deps.bytesMax) return;
      this.#spoken.delete(oldest);
      this.#bytes -= length;
    }
  }
}

function notYet(): AppError {
  return new AppError("unavailable", "The voice is still being rendered; ask again in a few seconds.", {
    retryAfterSeconds: 5,
  });
}
