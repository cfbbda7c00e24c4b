import { durationMsOf, samplesIn } from "@parley/audio/frame";
import type { RecognizedWord } from "../ports/speech-recognizer.ts";

/** Fixed, so that a test can work out where in the sound a word is. */
export const MARKED_WORD_MS = 260;
export const MARKED_GAP_MS = 40;
const LOUDNESS = 8_000;
const HALF_WAVE_SAMPLES = 16;
const WORDS_MAX = 4_000;
/** Less of a word than this is not understood. */
const HEARD_SHARE_MIN = 0.5;

/**
 * Speech that a fake recognizer can read: each word is a loud buzz whose loudness says which word it is. It survives
 * nothing that changes samples, which is what a line in memory does not do.
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
      const value = LOUDNESS + this.#markOf(word);
      for (let at = 0; at < wordSamples; at++) {
        sound[index * stepSamples + at] = Math.floor(at / HALF_WAVE_SAMPLES) % 2 === 0 ? value : -value;
      }
    }
    return sound;
  }

  /** The words in a stretch of sound, also when the first or the last one is cut. */
  read(sound: Int16Array): readonly RecognizedWord[] {
    const words: RecognizedWord[] = [];
    for (let at = 0; at < sound.length; ) {
      const mark = markAt(sound, at);
      const start = at;
      do at += 1;
      while (at < sound.length && markAt(sound, at) === mark);
      const text = mark === null ? undefined : this.#words[mark];
      const isHeard = at - start >= HEARD_SHARE_MIN * samplesIn(MARKED_WORD_MS);
      if (text !== undefined && isHeard) words.push({ text, startMs: durationMsOf(start), endMs: durationMsOf(at) });
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

function markAt(sound: Int16Array, at: number): number | null {
  const mark = Math.abs(sound[at] as number) - LOUDNESS;
  return mark >= 0 && mark < WORDS_MAX ? mark : null;
}
