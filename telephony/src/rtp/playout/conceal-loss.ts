import { saturate, TELEPHONE_RATE_HZ } from "@parley/audio/frame";

/** Voices lie between 50 and 200 Hz; a higher voice is repeated in twos and threes of its period. */
const LAG_MIN_SAMPLES = TELEPHONE_RATE_HZ / 200;
const LAG_MAX_SAMPLES = TELEPHONE_RATE_HZ / 50;
/** The window compared to find the period: long enough to contain one, short enough for a changing pitch. */
const TEMPLATE_SAMPLES = 120;
const HISTORY_SAMPLES = LAG_MAX_SAMPLES + TEMPLATE_SAMPLES;
const HISTORY_ROOM_SAMPLES = 4 * HISTORY_SAMPLES;
/** Repetition is plausible for 10 ms, then fades; after 60 ms it would be a hum, which is worse than silence. */
const FADE_AFTER_SAMPLES = 80;
const SILENT_AFTER_SAMPLES = 480;
/** Returning audio is blended in over 5 ms, because its phase has changed. */
const BLEND_SAMPLES = 40;

/**
 * Fills the gap of a lost packet with the last period of the voice, fading, in the manner of ITU-T G.711
 * appendix I but without its 3.75 ms of extra delay. Works in place on frames of any length and allocates nothing.
 */
export class LossConcealer {
  /** The newest samples that went out, oldest first, end at `#historyEnd`. The rest is room to append without moving them. */
  readonly #history = new Int16Array(HISTORY_SAMPLES + HISTORY_ROOM_SAMPLES);
  #historyEnd = HISTORY_SAMPLES;
  #lag = 0;
  #concealed = 0;
  #blendLeft = 0;
  #concealedTotal = 0;

  /** The total of synthetic samples. The silence after a voice has faded out is not counted: it may be a hold. */
  get concealedSamples(): number {
    return this.#concealedTotal;
  }

  /** True while the output is synthetic. */
  get isConcealing(): boolean {
    return this.#concealed > 0;
  }

  /** Records samples that arrived; the first ones after a gap are blended with the synthetic ones. */
  accept(frame: Int16Array, start: number, end: number): void {
    const blended = Math.min(this.#blendLeft, end - start);
    for (let index = 0; index < blended; index++) {
      const share = this.#blendLeft / (BLEND_SAMPLES + 1);
      const invented = this.#invented(this.#concealed);
      const at = start + index;
      frame[at] = saturate((frame[at] as number) * (1 - share) + invented * share);
      this.#blendLeft -= 1;
      this.#concealed += 1;
    }
    if (this.#blendLeft === 0) this.#concealed = 0;
    this.#remember(frame, start, end);
  }

  /** Overwrites samples that did not arrive. */
  conceal(frame: Int16Array, start: number, end: number): void {
    if (this.#concealed === 0) this.#lag = this.#findPeriod();
    this.#blendLeft = BLEND_SAMPLES;
    this.#concealedTotal += Math.max(0, Math.min(end - start, SILENT_AFTER_SAMPLES - this.#concealed));
    for (let at = start; at < end; at++) {
      frame[at] = this.#invented(this.#concealed);
      this.#concealed += 1;
    }
  }

  /** Overwrites with silence on purpose: nothing is missing, and nothing is to be repeated afterwards. */
  silence(frame: Int16Array, start: number, end: number): void {
    frame.fill(0, start, end);
    this.#concealed = 0;
    this.#blendLeft = 0;
    this.#remember(frame, start, end);
  }

  /** While concealing, the history keeps the last real audio. */
  #invented(count: number): number {
    if (count >= SILENT_AFTER_SAMPLES) return 0;
    const sample = this.#history[this.#historyEnd - this.#lag + (count % this.#lag)] as number;
    if (count < FADE_AFTER_SAMPLES) return sample;
    const left = (SILENT_AFTER_SAMPLES - count) / (SILENT_AFTER_SAMPLES - FADE_AFTER_SAMPLES);
    return saturate(sample * left);
  }

  /** The lag at which the newest samples look most like earlier ones: normalised cross-correlation. */
  #findPeriod(): number {
    const history = this.#history;
    const from = this.#historyEnd - TEMPLATE_SAMPLES;
    let energy = 1;
    for (let index = 0; index < TEMPLATE_SAMPLES; index++)
      energy += (history[from - LAG_MIN_SAMPLES + index] as number) ** 2;
    let best = LAG_MAX_SAMPLES;
    let bestScore = 0;
    for (let lag = LAG_MIN_SAMPLES; lag <= LAG_MAX_SAMPLES; lag++) {
      let product = 0;
      for (let index = 0; index < TEMPLATE_SAMPLES; index++) {
        product += (history[from + index] as number) * (history[from - lag + index] as number);
      }
      const score = product <= 0 ? 0 : (product * product) / energy;
      if (score > bestScore) {
        bestScore = score;
        best = lag;
      }
      // The window moves one sample into the past: one square enters, one leaves.
      if (lag < LAG_MAX_SAMPLES) {
        energy +=
          (history[from - lag - 1] as number) ** 2 - (history[from - lag - 1 + TEMPLATE_SAMPLES] as number) ** 2;
      }
    }
    return best;
  }

  #remember(frame: Int16Array, start: number, end: number): void {
    const history = this.#history;
    // Still blending: what is repeated must not change under the blend.
    if (this.#blendLeft > 0) return;
    const count = Math.min(end - start, HISTORY_SAMPLES);
    if (this.#historyEnd + count > history.length) {
      history.copyWithin(0, this.#historyEnd - HISTORY_SAMPLES, this.#historyEnd);
      this.#historyEnd = HISTORY_SAMPLES;
    }
    history.set(count === frame.length ? frame : frame.subarray(end - count, end), this.#historyEnd);
    this.#historyEnd += count;
  }
}
