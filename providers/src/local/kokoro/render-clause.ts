import { saturate, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { finishClip } from "../finish-clip.ts";
import { readableText } from "../flite/readable-text.ts";
import { KOKORO_RATE_HZ, type KokoroModel } from "./kokoro-model.ts";
import type { KokoroWork } from "./kokoro-process.ts";
import { isBritish } from "./kokoro-voices.ts";
import type { GuessWord } from "./phonemes/pronounce-word.ts";
import { textToPhonemes } from "./phonemes/text-to-phonemes.ts";

const FULL_SCALE = 32_767;

/** A clause as sound for a telephone. Empty when there is nothing in it that could be said. */
export async function renderClause(
  model: KokoroModel,
  guess: GuessWord,
  { text, voiceId, speed }: KokoroWork,
): Promise<Int16Array> {
  const readable = readableText(text);
  if (readable === null) throw new Error("the text has no letter that an English voice could read");
  const phonemes = textToPhonemes(readable, guess, isBritish(voiceId) ? "british" : "american");
  const waveform = await model.render(phonemes, voiceId, speed);
  const samples = Int16Array.from(waveform, (value) => saturate(value * FULL_SCALE));
  return finishClip(samples, KOKORO_RATE_HZ, TELEPHONE_RATE_HZ);
}
