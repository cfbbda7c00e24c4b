import { saturate, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { SampleRateHz } from "@parley/audio/resample-filter";
import { plainText, readClause, type SpokenPart } from "@parley/voice/ports/speech-notation";
import { finishClip } from "../finish-clip.ts";
import { readableText } from "../flite/readable-text.ts";
import { KOKORO_RATE_HZ, type KokoroModel } from "./kokoro-model.ts";
import { isBritish, type KokoroVoiceId, languageOf } from "./kokoro-voices.ts";
import { countWordsIn, isReadable, partsToPhonemesIn } from "./phonemes/other-languages.ts";
import type { GuessWord } from "./phonemes/pronounce-word.ts";
import { countWords, partsToPhonemes } from "./phonemes/text-to-phonemes.ts";

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
  if (!canRead(plainText(text), voiceId)) throw new Error("the text has no letter that the voice could read");
  const { parts } = readClause(text);
  const language = languageOf(voiceId);
  if (language !== "en") return partsToPhonemesIn(language, parts);
  return partsToPhonemes(parts.map(readablePart), guess, isBritish(voiceId) ? "british" : "american");
}

/** Whether a voice can say anything of a text that has something to say. */
export function canRead(text: string, voiceId: KokoroVoiceId): boolean {
  if (languageOf(voiceId) === "en") return readableText(text) !== null;
  return isReadable(text) || !/[\p{L}\p{N}]/u.test(text);
}

/** How many words a voice says for a written one. */
export function wordsSaid(written: string, voiceId: KokoroVoiceId): number {
  return languageOf(voiceId) === "en" ? countWords(readableText(written) ?? "") : countWordsIn(written);
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
