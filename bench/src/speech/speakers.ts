import { loadFliteModule, renderClause } from "@parley/providers/local/flite/flite-module";
import { type FliteVoiceId, isFliteVoice } from "@parley/providers/local/flite/flite-voices";
import type { KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { LiveVoice } from "@parley/providers/local/kokoro/live/live-voice";
import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { createGuessWord } from "@parley/providers/local/kokoro/phonemes/pronounce-word";
import { phonemesOf, telephoneClip } from "@parley/providers/local/kokoro/render-clause";

/** Synthetic callees. No agent has one of these voices unless its author looks for it among all of them. */
export const NATURAL_CALLEES: readonly KokoroVoiceId[] = [
  "am_eric",
  "bf_lily",
  "bm_daniel",
  "af_kore",
  "am_fenrir",
  "bf_isabella",
];
/** Others, to see whether what was improved with those above holds for voices it was not tried with. */
export const UNSEEN_CALLEES: readonly KokoroVoiceId[] = [
  "am_liam",
  "af_aoede",
  "bm_lewis",
  "af_jessica",
  "am_echo",
  "bm_fable",
  "af_river",
  "af_sky",
];
/** What agents speak with only where natural voices are turned off. */
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
