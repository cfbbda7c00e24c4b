import { throughG711 } from "@parley/audio/testing/through-g711";
import { loadFliteModule, renderClause as renderFlite } from "@parley/providers/local/flite/flite-module";
import type { FliteVoiceId } from "@parley/providers/local/flite/flite-voices";
import type { KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { LiveVoice } from "@parley/providers/local/kokoro/live/live-voice";
import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { createGuessWord } from "@parley/providers/local/kokoro/phonemes/pronounce-word";
import { ClauseSpeech } from "@parley/providers/local/kokoro/speaking/clause-speech";
import { joinSamples } from "@parley/voice/engine/join-samples";
import { type KnownVoices, signatureOf } from "./voice-signature.ts";

/** Speaks these texts with these voices, as they are heard over a telephone. */
export async function speakKnownVoices(
  texts: readonly string[],
  natural: readonly KokoroVoiceId[],
  light: readonly FliteVoiceId[],
): Promise<Readonly<Record<string, readonly Int16Array[]>>> {
  const flite = await loadFliteModule();
  const guess = createGuessWord(flite, await LetterModel.open());
  const live = await LiveVoice.open();
  const spoken: Record<string, Int16Array[]> = {};
  try {
    for (const voiceId of natural) {
      spoken[voiceId] = [];
      for (const text of texts) {
        const pieces: Int16Array[] = [];
        const speech = await ClauseSpeech.begin(live, guess, { text, voiceId });
        for (let isOver = speech === null; !isOver; ) {
          const step = await (speech as ClauseSpeech).next();
          pieces.push(step.samples);
          isOver = step.isOver;
        }
        spoken[voiceId].push(throughG711(joinSamples(pieces)));
      }
    }
  } finally {
    await live.close();
  }
  for (const voiceId of light)
    spoken[voiceId] = texts.map((text) => throughG711(renderFlite(flite, { text, voiceId, sampleRateHz: 8_000 })));
  return spoken;
}

export function signaturesOf(spoken: Readonly<Record<string, readonly Int16Array[]>>): KnownVoices {
  return Object.fromEntries(
    Object.entries(spoken).map(([name, clips]) => [name, clips.map(signatureOf).filter((one) => one !== null)]),
  );
}
