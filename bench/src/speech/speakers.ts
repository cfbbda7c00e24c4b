import { loadFliteModule, renderClause } from "@parley/providers/local/flite/flite-module";
import { type FliteVoiceId, isFliteVoice } from "@parley/providers/local/flite/flite-voices";
import type { KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { LiveVoice } from "@parley/providers/local/kokoro/live/live-voice";
import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { createGuessWord } from "@parley/providers/local/kokoro/phonemes/pronounce-word";
import { phonemesOf, telephoneClip } from "@parley/providers/local/kokoro/render-clause";

/** Synthetic callees. None of them is the usual voice of an agent. */
export const NATURAL_CALLEES: readonly KokoroVoiceId[] = [
  "am_michael",
  "bf_emma",
  "bm_george",
  "af_bella",
  "am_puck",
  "bf_lily",
];
export const ROBOTIC_CALLEES: readonly FliteVoiceId[] = ["rms", "awb"];

/** Renders what callees say, at 8 kHz. */
export interface Speakers {
  /** `speed` is for natural voices only. */
  speak(text: string, voiceId: KokoroVoiceId | FliteVoiceId, speed?: number): Promise<Int16Array>;
  close(): Promise<void>;
}

export async function openSpeakers(): Promise<Speakers> {
  const flite = await loadFliteModule();
  const guess = createGuessWord(flite, await LetterModel.open());
  const live = await LiveVoice.open();
  return {
    async speak(text, voiceId, speed = 1) {
      if (isFliteVoice(voiceId)) return renderClause(flite, { text, voiceId, sampleRateHz: 8_000 });
      const chunks: Float32Array[] = [];
      const phonemes = phonemesOf(text, guess, voiceId);
      for await (const chunk of live.speak(phonemes, voiceId, speed, 8_000)) chunks.push(chunk);
      return telephoneClip(Float32Array.from(chunks.flatMap((chunk) => [...chunk])), 8_000);
    },
    close: () => live.close(),
  };
}
