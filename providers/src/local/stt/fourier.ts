/** The Fourier transform of a frame, in place. The length is a power of two. Twice, with `isInverse`, gives it back. */
export function transform(real: Float64Array, imaginary: Float64Array, isInverse: boolean): void {
  const length = real.length;
  sortByReversedBits(real, imaginary);
  for (let span = 2; span <= length; span *= 2) {
    const angle = ((isInverse ? 2 : -2) * Math.PI) / span;
    for (let step = 0; step < span / 2; step++) {
      const cosine = Math.cos(angle * step);
      const sine = Math.sin(angle * step);
      for (let at = step; at < length; at += span) {
        const other = at + span / 2;
        const re = real[other] as number;
        const im = imaginary[other] as number;
        const turnedRe = re * cosine - im * sine;
        const turnedIm = re * sine + im * cosine;
        real[other] = (real[at] as number) - turnedRe;
        imaginary[other] = (imaginary[at] as number) - turnedIm;
        real[at] = (real[at] as number) + turnedRe;
        imaginary[at] = (imaginary[at] as number) + turnedIm;
      }
    }
  }
  if (!isInverse) return;
  for (let at = 0; at < length; at++) {
    real[at] = (real[at] as number) / length;
    imaginary[at] = (imaginary[at] as number) / length;
  }
}

function sortByReversedBits(real: Float64Array, imaginary: Float64Array): void {
  for (let at = 1, reversed = 0; at < real.length; at++) {
    let bit = real.length >> 1;
    for (; (reversed & bit) !== 0; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (at >= reversed) continue;
    for (const part of [real, imaginary]) {
      const kept = part[at] as number;
      part[at] = part[reversed] as number;
      part[reversed] = kept;
    }
  }
}
