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
  const first = cut(sent, start, count);
  const second = cut(heard, start + lagMin, count + lagMax - lagMin);
  const sentEnergy = 1e-9 + productAt(first, first, 0);
  // The energy of what is compared changes by one sample at either end per lag.
  let heardEnergy = 1e-9 + productAt(second.subarray(0, count), second, 0);
  let best: Likeness = { correlation: -1, lagSamples: 0 };
  for (let lag = lagMin; lag <= lagMax; lag++) {
    const offset = lag - lagMin;
    const correlation = productAt(first, second, offset) / Math.sqrt(sentEnergy * heardEnergy);
    if (correlation > best.correlation) best = { correlation, lagSamples: lag };
    heardEnergy += (second[offset + count] ?? 0) ** 2 - (second[offset] ?? 0) ** 2;
  }
  return best;
}

/** What is outside of the recording is silent. */
function cut(samples: Int16Array, start: number, count: number): Float64Array {
  const part = new Float64Array(count);
  part.set(samples.subarray(Math.max(0, start), Math.max(0, start + count)), Math.max(0, -start));
  return part;
}

/** Four sums at a time, because each addition would wait for the one before: this is where the tests spend their time. */
function productAt(first: Float64Array, second: Float64Array, offset: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let index = 0;
  for (; index + 3 < first.length; index += 4) {
    a += (first[index] as number) * (second[offset + index] as number);
    b += (first[index + 1] as number) * (second[offset + index + 1] as number);
    c += (first[index + 2] as number) * (second[offset + index + 2] as number);
    d += (first[index + 3] as number) * (second[offset + index + 3] as number);
  }
  for (; index < first.length; index++) a += (first[index] as number) * (second[offset + index] as number);
  return a + b + c + d;
}
