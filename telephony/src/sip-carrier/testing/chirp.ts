/** Sweeps from one frequency to the other: a signal that is like itself at one lag only, and unlike any other sweep. */
export function chirp(fromHz: number, toHz: number, seconds: number): Int16Array {
  return Int16Array.from({ length: seconds * 8_000 }, (_, index) => {
    const t = index / 8_000;
    return Math.round(12_000 * Math.sin(2 * Math.PI * (fromHz * t + ((toHz - fromHz) * t * t) / (2 * seconds))));
  });
}
