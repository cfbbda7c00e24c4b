import type { RecognizedWord } from "@parley/voice/ports/speech-recognizer";

const RATE_HZ = 8_000;
const WORD_SAMPLES = 2_080;
const GAP_SAMPLES = 320;
const HALF_WAVE_SAMPLES = 16;
/** Levels a sixth apart: G.711 and a change of rate alter them by far less. */
const LEVELS = Array.from({ length: 12 }, (_, index) => Math.round(3_500 * 1.17 ** index));
const LOUD = 2_000;

/**
 * Speech that survives G.711 and resampling, unlike marked speech: each word is a buzz of two halves whose levels
 * together identify it. Up to 144 words.
 */
export class CodedSpeech {
  readonly #words: string[] = [];

  speak(text: string): Int16Array {
    const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
    const samples = new Int16Array(Math.max(0, words.length * (WORD_SAMPLES + GAP_SAMPLES) - GAP_SAMPLES));
    for (const [index, word] of words.entries()) {
      const code = this.#codeOf(word);
      const levels = [LEVELS[Math.floor(code / LEVELS.length)] ?? 0, LEVELS[code % LEVELS.length] ?? 0];
      for (let at = 0; at < WORD_SAMPLES; at++) {
        const level = levels[Math.floor((2 * at) / WORD_SAMPLES)] ?? 0;
        const sign = Math.floor(at / HALF_WAVE_SAMPLES) % 2 === 0 ? 1 : -1;
        samples[index * (WORD_SAMPLES + GAP_SAMPLES) + at] = sign * level;
      }
    }
    return samples;
  }

  read(samples: Int16Array): readonly RecognizedWord[] {
    const words: RecognizedWord[] = [];
    for (let at = 0; at < samples.length; at++) {
      if (Math.abs(samples[at] ?? 0) < LOUD) continue;
      const start = at;
      // A quiet sample inside a word is a zero crossing; a gap is longer.
      for (let quiet = 0; at < samples.length && quiet < 80; at++) {
        quiet = Math.abs(samples[at] ?? 0) < LOUD ? quiet + 1 : 0;
      }
      const end = Math.min(at, start + WORD_SAMPLES);
      if (at - start < WORD_SAMPLES / 2) continue;
      const first = nearestLevel(samples.subarray(start + 200, start + WORD_SAMPLES / 2 - 200));
      const second = nearestLevel(samples.subarray(start + WORD_SAMPLES / 2 + 200, start + WORD_SAMPLES - 200));
      const text = this.#words[first * LEVELS.length + second];
      if (text !== undefined) words.push({ text, startMs: (1000 * start) / RATE_HZ, endMs: (1000 * end) / RATE_HZ });
    }
    return words;
  }

  #codeOf(word: string): number {
    const known = this.#words.indexOf(word);
    if (known >= 0) return known;
    if (this.#words.length >= LEVELS.length ** 2) throw new RangeError("there are no more codes for words");
    return this.#words.push(word) - 1;
  }
}

/** By the median, which the edges of the waves do not move. */
function nearestLevel(samples: Int16Array): number {
  const sorted = Array.from(samples, Math.abs).toSorted((one, other) => one - other);
  const level = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const distances = LEVELS.map((each) => Math.abs(Math.log(each / Math.max(1, level))));
  return distances.indexOf(Math.min(...distances));
}
