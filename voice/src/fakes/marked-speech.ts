import { durationMsOf, samplesIn } from "@parley/audio/frame";
import type { RecognizedWord } from "../ports/speech-recognizer.ts";

/** Fixed, so that a test can compute where in the audio a word is. */
export const MARKED_WORD_MS = 260;
export const MARKED_GAP_MS = 40;
const LOUDNESS = 8_000;
/** The level difference between one word and the next: far more than the average noise of a quiet room. */
const LOUDNESS_STEP = 8;
const HALF_WAVE_SAMPLES = 16;
const WORDS_MAX = 2_900;
/** How evenly loud a word is, in a quiet room. */
const EVEN_WITHIN = 400;
/** Louder than this is a part of a word. */
const WORD_LEVEL_MIN = 6_000;
/** Less of a word than this is not understood. */
const HEARD_SHARE_MIN = 0.5;

/**
 * Speech that a fake recognizer can read: each word is a loud buzz whose level identifies it. It survives the noise of
 * a quiet room, and nothing that changes samples by more.
 */
export class MarkedSpeech {
  readonly #marks = new Map<string, number>();
  readonly #words: string[] = [];

  speak(text: string): Int16Array {
    const words = text.split(/\s+/).filter((word) => word !== "");
    const wordSamples = samplesIn(MARKED_WORD_MS);
    const stepSamples = wordSamples + samplesIn(MARKED_GAP_MS);
    const sound = new Int16Array(Math.max(0, words.length * stepSamples - samplesIn(MARKED_GAP_MS)));
    for (const [index, word] of words.entries()) {
      const value = LOUDNESS + LOUDNESS_STEP * this.#markOf(word);
      for (let at = 0; at < wordSamples; at++) {
        sound[index * stepSamples + at] = Math.floor(at / HALF_WAVE_SAMPLES) % 2 === 0 ? value : -value;
      }
    }
    return sound;
  }

  /** The words in a stretch of audio, including partial ones at either end. */
  read(sound: Int16Array): readonly RecognizedWord[] {
    const words: RecognizedWord[] = [];
    for (let at = 0; at < sound.length; at++) {
      const start = at;
      let sum = 0;
      for (; at < sound.length && isLoud(sound, at); at++) sum += Math.abs(sound[at] as number);
      if (at - start < HEARD_SHARE_MIN * samplesIn(MARKED_WORD_MS)) continue;
      const text = this.#words[Math.round((sum / (at - start) - LOUDNESS) / LOUDNESS_STEP)];
      if (text !== undefined) words.push({ text, startMs: durationMsOf(start), endMs: durationMsOf(at) });
    }
    return words;
  }

  #markOf(word: string): number {
    const known = this.#marks.get(word);
    if (known !== undefined) return known;
    if (this.#words.length >= WORDS_MAX) throw new RangeError("there are no more marks for words");
    this.#marks.set(word, this.#words.length);
    return this.#words.push(word) - 1;
  }
}

function isLoud(sound: Int16Array, at: number): boolean {
  return Math.abs(sound[at] as number) >= WORD_LEVEL_MIN;
}

/** Whether a frame contains part of a word. The level of a tone or music is not as even. */
export function isMarkedSpeech(frame: Int16Array): boolean {
  const levels = Array.from(frame, Math.abs).filter((level) => level >= WORD_LEVEL_MIN);
  const loudest = Math.max(0, ...levels);
  return levels.length > 0 && levels.every((level) => loudest - level < EVEN_WITHIN);
}
