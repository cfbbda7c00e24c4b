import type { Samples } from "./frame.ts";

/** The maximum number of peaks per channel of a waveform: more than a screen is wide. */
export const PEAKS_MAX = 2_000;
/** 20 ms at the rate of the telephone, so that short calls are drawn finely. */
const FIRST_STRETCH_SAMPLES = 160;
/** From 16-bit samples to one byte. */
const STEP_BITS = 7;
const PEAK_MAX = 255;

/**
 * The peak of each stretch of one channel, for drawing. However long the audio gets, there are at most PEAKS_MAX of
 * them: when they are full, neighbours are joined and stretches become twice as long.
 */
export class WaveformPeaks {
  readonly #peaks = new Uint8Array(PEAKS_MAX);
  #samplesPerPeak = FIRST_STRETCH_SAMPLES;
  #samples = 0;

  get samplesPerPeak(): number {
    return this.#samplesPerPeak;
  }

  add(samples: Samples): void {
    for (let index = 0; index < samples.length; index++) {
      if (this.#samples === PEAKS_MAX * this.#samplesPerPeak) this.#join();
      const at = Math.floor(this.#samples / this.#samplesPerPeak);
      const loudness = Math.min(PEAK_MAX, Math.abs(samples[index] as number) >> STEP_BITS);
      if (loudness > (this.#peaks[at] as number)) this.#peaks[at] = loudness;
      this.#samples++;
    }
  }

  /** The peaks of the first samples, or of all; from 0 for silence to 255 for the maximum. */
  take(samples: number = this.#samples): Uint8Array {
    return this.#peaks.slice(0, Math.ceil(Math.min(samples, this.#samples) / this.#samplesPerPeak));
  }

  #join(): void {
    const half = PEAKS_MAX / 2;
    for (let at = 0; at < half; at++) {
      this.#peaks[at] = Math.max(this.#peaks[2 * at] as number, this.#peaks[2 * at + 1] as number);
    }
    this.#peaks.fill(0, half);
    this.#samplesPerPeak *= 2;
  }
}
