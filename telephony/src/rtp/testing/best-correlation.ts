/** How much two recordings are alike, from -1 to 1, at the lag (of the second against the first) that suits best. */
export interface Likeness {
  correlation: number;
  lagSamples: number;
}

/** Compares `count` samples of `sent` from `start` with `heard` at every lag from `lagMin` to `lagMax`. */
export function bestCorrelation(
  sent: Int16Array,
  heard: Int16Array,
  { start, count, lagMin, lagMax }: { start: number; count: number; lagMin: number; lagMax: number },
): Likeness {
  let best: Likeness = { correlation: -1, lagSamples: 0 };
  for (let lag = lagMin; lag <= lagMax; lag++) {
    let product = 0;
    let sentEnergy = 1e-9;
    let heardEnergy = 1e-9;
    for (let index = start; index < start + count; index++) {
      const a = sent[index] ?? 0;
      const b = heard[index + lag] ?? 0;
      product += a * b;
      sentEnergy += a * a;
      heardEnergy += b * b;
    }
    const correlation = product / Math.sqrt(sentEnergy * heardEnergy);
    if (correlation > best.correlation) best = { correlation, lagSamples: lag };
  }
  return best;
}
