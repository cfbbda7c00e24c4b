/**
 * The filter of ITU-T G.722 that joins and splits its bands (clause 4.1 and table 11), with which the 8 kHz codec is compared to
 * those that work on 16 kHz.
 */
const COEFFICIENTS = [3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11];
const TAPS = 2 * COEFFICIENTS.length;

function filter(window: readonly number[]): readonly [even: number, odd: number] {
  let even = 0;
  let odd = 0;
  for (const [index, coefficient] of COEFFICIENTS.entries()) {
    odd += (window[2 * index] ?? 0) * coefficient;
    even += (window[2 * index + 1] ?? 0) * (COEFFICIENTS[COEFFICIENTS.length - 1 - index] ?? 0);
  }
  return [even, odd];
}

/** The lower band of 16 kHz audio, at half its gain. */
export function lowerBandOf(samples: Int16Array): Int16Array {
  const window: number[] = Array.from({ length: TAPS }, () => 0);
  return Int16Array.from({ length: Math.floor(samples.length / 2) }, (_, index) => {
    window.splice(0, 2);
    window.push(samples[2 * index] ?? 0, samples[2 * index + 1] ?? 0);
    const [even, odd] = filter(window);
    return (even + odd) >> 14;
  });
}

/** 16 kHz audio from its lower band, with a silent upper one. */
export function fromLowerBand(band: Int16Array): Int16Array {
  const window: number[] = Array.from({ length: TAPS }, () => 0);
  const out = new Int16Array(2 * band.length);
  for (const [index, sample] of band.entries()) {
    window.splice(0, 2);
    window.push(sample, sample);
    const [even, odd] = filter(window);
    out[2 * index] = clamp(even >> 11);
    out[2 * index + 1] = clamp(odd >> 11);
  }
  return out;
}

function clamp(value: number): number {
  return Math.max(-32_768, Math.min(32_767, value));
}
