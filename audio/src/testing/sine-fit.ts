/** A sine, not rounded yet. */
export function sineWave(frequencyHz: number, amplitude: number, samples: number, sampleRateHz: number): Int16Array {
  const step = (2 * Math.PI * frequencyHz) / sampleRateHz;
  return Int16Array.from({ length: samples }, (_, index) => Math.round(amplitude * Math.sin(step * index)));
}

export interface SineFit {
  amplitude: number;
  /** Root mean square of what is left when the sine is subtracted. */
  residueRms: number;
}

/** The sine of a known frequency that explains most of a piece of audio, by least squares. */
export function fitSine(samples: Int16Array, frequencyHz: number, sampleRateHz: number): SineFit {
  const step = (2 * Math.PI * frequencyHz) / sampleRateHz;
  let [cc, ss, cs, xc, xs] = [0, 0, 0, 0, 0];
  samples.forEach((sample, index) => {
    const cosine = Math.cos(step * index);
    const sine = Math.sin(step * index);
    cc += cosine * cosine;
    ss += sine * sine;
    cs += cosine * sine;
    xc += sample * cosine;
    xs += sample * sine;
  });
  const determinant = cc * ss - cs * cs;
  const a = (xc * ss - xs * cs) / determinant;
  const b = (xs * cc - xc * cs) / determinant;
  const residue = samples.reduce((sum, sample, index) => {
    const rest = sample - a * Math.cos(step * index) - b * Math.sin(step * index);
    return sum + rest * rest;
  }, 0);
  return { amplitude: Math.hypot(a, b), residueRms: Math.sqrt(residue / samples.length) };
}

export function decibels(ratio: number): number {
  return 20 * Math.log10(Math.max(ratio, 1e-9));
}
