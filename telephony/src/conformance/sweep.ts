/** A tone that rises from 300 to 2,500 Hz: like itself at one lag only, and unlike any other sound. */
export function sweep(samples: number): Int16Array {
  const seconds = samples / 8_000;
  return Int16Array.from({ length: samples }, (_, index) => {
    const t = index / 8_000;
    return Math.round(12_000 * Math.sin(2 * Math.PI * (300 * t + (2_200 * t * t) / (2 * seconds))));
  });
}
