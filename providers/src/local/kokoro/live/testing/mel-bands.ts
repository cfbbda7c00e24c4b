import { FourierPlan } from "../fourier-plan.ts";

const RATE_HZ = 8_000;
const BANDS = 24;
const BAND_FROM_HZ = 100;
const BAND_TO_HZ = 3_800;

/** 32 ms at 8 kHz. */
export const MEL_WINDOW = 256;

/** The logarithms of the amplitudes in 24 bands of equal width on the mel scale, of a window at 8 kHz. */
export class MelBands {
  readonly #plan = new FourierPlan(MEL_WINDOW);
  readonly #hann = Float64Array.from({ length: MEL_WINDOW }, (_, at) => {
    return 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / MEL_WINDOW);
  });
  readonly #filters = melFilters();
  readonly #re = new Float64Array(MEL_WINDOW);
  readonly #im = new Float64Array(MEL_WINDOW);
  readonly #outRe = new Float64Array(MEL_WINDOW);
  readonly #outIm = new Float64Array(MEL_WINDOW);

  /** Of the window that begins at this sample. Samples are between -32,768 and 32,767. */
  at(samples: Int16Array, from: number): Float64Array {
    for (let at = 0; at < MEL_WINDOW; at++)
      this.#re[at] = ((samples[from + at] ?? 0) / 32_768) * (this.#hann[at] as number);
    this.#plan.forward(this.#re, this.#im, this.#outRe, this.#outIm);
    return Float64Array.from(this.#filters, (weights) => {
      let sum = 1e-8;
      for (const [bin, weight] of weights)
        sum += weight * ((this.#outRe[bin] as number) ** 2 + (this.#outIm[bin] as number) ** 2);
      return Math.log(sum) / 2;
    });
  }
}

/** Triangles of equal width on the mel scale: the bins of each and their weights. */
function melFilters(): readonly (readonly (readonly [bin: number, weight: number])[])[] {
  const mel = (hz: number) => 2_595 * Math.log10(1 + hz / 700);
  const step = (mel(BAND_TO_HZ) - mel(BAND_FROM_HZ)) / (BANDS + 1);
  return Array.from({ length: BANDS }, (_, band) => {
    const centre = mel(BAND_FROM_HZ) + (band + 1) * step;
    return Array.from({ length: MEL_WINDOW / 2 }, (__, bin) => {
      return [bin, Math.max(0, 1 - Math.abs(mel((bin * RATE_HZ) / MEL_WINDOW) - centre) / step)] as const;
    }).filter(([, weight]) => weight > 0);
  });
}
