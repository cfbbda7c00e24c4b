const RATE_HZ = 8_000;
const WORD_SAMPLES = (RATE_HZ * 260) / 1000;
const GAP_SAMPLES = (RATE_HZ * 40) / 1000;
const HALF_WAVE_SAMPLES = 16;
const LEVEL_MIN = 6_000;
/** Less of a word than this is not understood. */
const UNDERSTOOD_SAMPLES = WORD_SAMPLES / 2;

/** Speech that the stand-in understands: each word is a buzz of 260 ms at 8 kHz whose level identifies it. */
export class LevelSpeech {
  readonly #words: string[] = [];

  speak(text: string): Int16Array {
    const words = text.split(/\s+/).filter((word) => word !== "");
    const stepSamples = WORD_SAMPLES + GAP_SAMPLES;
    const samples = new Int16Array(Math.max(0, words.length * stepSamples - GAP_SAMPLES));
    for (const [index, word] of words.entries()) {
      const level = LEVEL_MIN + this.#indexOf(word);
      for (let at = 0; at < WORD_SAMPLES; at += 1) {
        samples[index * stepSamples + at] = Math.floor(at / HALF_WAVE_SAMPLES) % 2 === 0 ? level : -level;
      }
    }
    return samples;
  }

  /** The words of a stretch of audio, including those that are cut off at either end by less than half. */
  read(samples: Int16Array): string {
    const words: string[] = [];
    for (let at = 0; at < samples.length; ) {
      const start = at;
      const level = Math.abs(samples[at] ?? 0);
      while (at < samples.length && Math.abs(samples[at] ?? 0) === level) at += 1;
      const word = this.#words[level - LEVEL_MIN];
      if (word !== undefined && at - start >= UNDERSTOOD_SAMPLES) words.push(word);
    }
    return words.join(" ");
  }

  #indexOf(word: string): number {
    const index = this.#words.indexOf(word);
    return index >= 0 ? index : this.#words.push(word) - 1;
  }
}
