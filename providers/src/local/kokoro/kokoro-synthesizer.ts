import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { resampleClip } from "@parley/audio/resample";
import { systemClock, type Timers } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechRequest, SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { ClipCache } from "../clip-cache.ts";
import type { ClipSource } from "../clips/clip-source.ts";
import { hasWords } from "../clips/cover-text.ts";
import { readableText } from "../flite/readable-text.ts";
import { isCovered, KOKORO_SPEED, kokoroKey, readCovered } from "./kokoro-clips.ts";
import type { KokoroRenderer } from "./kokoro-renderer.ts";
import { isKokoroVoice, KOKORO_VOICES, type KokoroVoiceId } from "./kokoro-voices.ts";
import { type RenderAheadOptions, type RenderAheadResult, RenderEstimate, renderAhead } from "./render-ahead.ts";

export interface KokoroOptions {
  /** Where rendered clips lie. */
  readonly store: ClipSource;
  /** Renders what is missing; null where clips are only played, and a text without one is refused. */
  readonly renderer: Pick<KokoroRenderer, "render" | "close" | "isLoaded"> | null;
  /** Keeps what was rendered. False when it could not. */
  readonly keep: (key: string, samples: Int16Array) => Promise<boolean>;
  /** For the clips that were played last. */
  readonly memoryBytesMax?: number;
  readonly nowMs?: () => number;
  readonly timers?: Timers;
}

export interface KokoroSynthesizer extends SpeechSynthesizer {
  /** Whether every one of these can be said at once. */
  canSay(texts: readonly string[], voiceId: KokoroVoiceId): Promise<boolean>;
  /** Renders what is missing of these. Never rejects. */
  renderAhead(
    texts: readonly string[],
    voiceId: KokoroVoiceId,
    options?: RenderAheadOptions,
  ): Promise<RenderAheadResult>;
}

const NAME = "kokoro";
const MEMORY_BYTES_MAX = 8 * 1024 * 1024;
/** Longer than any clause, and no longer than the network can say at once. */
const TEXT_MAX = 400;

/** Kokoro, a natural voice for English that takes longer to make than to hear: it plays what was rendered before. */
export function createKokoroSynthesizer(options: KokoroOptions): KokoroSynthesizer {
  const { store, renderer, keep, nowMs = () => performance.now(), timers = systemClock } = options;
  const estimate = new RenderEstimate();
  let isClosed = false;
  const closed = new AbortController();

  async function render(text: string, voiceId: KokoroVoiceId, isUrgent: boolean, signal?: AbortSignal) {
    if (renderer === null) throw refuse("the text was not rendered ahead");
    const { samples } = await renderer.render({ text, voiceId, speed: KOKORO_SPEED }, { signal, isUrgent });
    await keep(kokoroKey(text, voiceId), samples);
    return samples;
  }

  const source: SpeechSynthesizer = {
    name: NAME,
    voices: KOKORO_VOICES,
    async *speak({ text, voiceId, signal }) {
      const voice = voiceOf(voiceId);
      let clip = await readCovered(store, text, voice);
      if (clip === null) {
        await store.refresh();
        clip = await readCovered(store, text, voice);
      }
      yield clip ?? (await render(text, voice, true, signal));
    },
    close: async () => undefined,
  };
  const memory = new ClipCache(source, { bytesMax: options.memoryBytesMax ?? MEMORY_BYTES_MAX });

  return {
    name: NAME,
    voices: KOKORO_VOICES,
    async *speak(request) {
      const { text, voiceId, sampleRateHz, signal } = request;
      signal?.throwIfAborted();
      checkRequest(request);
      if (isClosed) throw refuse("it was closed");
      if (!hasWords(text)) return;
      const wanted = signal === undefined ? closed.signal : AbortSignal.any([signal, closed.signal]);
      const clip = await memory.clipOf({ text, voiceId, sampleRateHz: TELEPHONE_RATE_HZ, signal: wanted });
      signal?.throwIfAborted();
      const sound = sampleRateHz === TELEPHONE_RATE_HZ ? clip : resampleClip(clip, TELEPHONE_RATE_HZ, sampleRateHz);
      if (sound.length > 0) yield sound;
      signal?.throwIfAborted();
    },
    async canSay(texts, voiceId) {
      await store.refresh();
      return texts.every((text) => !hasWords(text) || isCovered(store, text, voiceId));
    },
    async renderAhead(texts, voiceId, wish = {}) {
      await store.refresh();
      const isMissing = (text: string) => hasWords(text) && !isCovered(store, text, voiceId);
      return renderAhead(
        { estimate, isLoaded: renderer?.isLoaded ?? false, isMissing, nowMs, render, timers },
        texts,
        voiceId,
        wish,
      );
    },
    async close() {
      isClosed = true;
      closed.abort(refuse("it was closed"));
      memory.clear();
      await renderer?.close();
    },
  };
}

function voiceOf(voiceId: string): KokoroVoiceId {
  if (!isKokoroVoice(voiceId)) throw refuse(`there is no voice ${JSON.stringify(voiceId)}`);
  return voiceId;
}

function checkRequest({ text, voiceId }: SpeechRequest): void {
  voiceOf(voiceId);
  if (text.length > TEXT_MAX) throw refuse(`a clause of ${text.length} characters is longer than ${TEXT_MAX}`);
  if (readableText(text) === null) throw refuse("the text has no letter that an English voice could read");
}

function refuse(message: string): ProviderError {
  return new ProviderError(NAME, `${NAME}: ${message}`, { retryable: false });
}
