import { saturate, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { SampleRateHz } from "@parley/audio/resample-filter";
import { plainText, readClause, type SpokenPart } from "@parley/voice/ports/speech-notation";
import { finishClip } from "../finish-clip.ts";
import { readableText } from "../flite/readable-text.ts";
import { KOKORO_RATE_HZ, type KokoroModel } from "./kokoro-model.ts";
import { isBritish, type KokoroVoiceId } from "./kokoro-voices.ts";
import type { GuessWord } from "./phonemes/pronounce-word.ts";
import { partsToPhonemes } from "./phonemes/text-to-phonemes.ts";

const FULL_SCALE = 32_767;

/** One clause to render. */
export interface KokoroWork {
  readonly text: string;
  readonly voiceId: KokoroVoiceId;
  readonly speed: number;
}

/** A clause as audio for a telephone, by Kokoro itself. Empty if nothing in it can be spoken. */
export async function renderClause(
  model: KokoroModel,
  guess: GuessWord,
  { text, voiceId, speed }: KokoroWork,
): Promise<Int16Array> {
  return telephoneClip(await model.render(phonemesOf(text, guess, voiceId), voiceId, speed), KOKORO_RATE_HZ);
}

/** A clause as a voice of Kokoro reads it. It may have the marks of `speech-notation.ts`. */
export function phonemesOf(text: string, guess: GuessWord, voiceId: KokoroVoiceId): string {
  if (readableText(plainText(text)) === null)
    throw new Error("the text has no letter that an English voice could read");
  const accent = isBritish(voiceId) ? "british" : "american";
  const parts = readClause(text).parts.map(readablePart);
  return partsToPhonemes(parts, guess, accent);
}

function readablePart(part: SpokenPart): SpokenPart {
  if (part.type === "text") return { ...part, text: ` ${readableText(part.text) ?? ""} ` };
  return part.type === "emphasis" ? { ...part, word: readableText(part.word) ?? "" } : part;
}

/** Audio between -1 and 1 as a finished clip for a telephone. */
export function telephoneClip(waveform: Float32Array, rateHz: SampleRateHz): Int16Array {
  const samples = Int16Array.from(waveform, (value) => saturate(value * FULL_SCALE));
  return finishClip(samples, rateHz, TELEPHONE_RATE_HZ);
}
