/** The logarithm of a token's probability, from one row of weights. */
export function logProbabilityOf(logits: Float32Array, start: number, width: number, token: number): number {
  return (logits[start + token] as number) - logSumExp(logits, start, width);
}

/** What is lighter than the heaviest by more than this adds nothing that a 32-bit number could hold. */
const NEGLIGIBLE = -18;

/** Nearly all of a vocabulary is negligible at any one place, and exponentials cost more than everything else here. */
export function logSumExp(logits: Float32Array, start: number, width: number): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = start; at < start + width; at++) if ((logits[at] as number) > highest) highest = logits[at] as number;
  let sum = 0;
  for (let at = start; at < start + width; at++) {
    const below = (logits[at] as number) - highest;
    if (below > NEGLIGIBLE) sum += Math.exp(below);
  }
  return highest + Math.log(sum);
}

/** The heaviest token of a row, leaving one out where asked. */
export function heaviestToken(logits: Float32Array, start: number, width: number, except = -1): number {
  let best = except === 0 ? 1 : 0;
  for (let token = best + 1; token < width; token++) {
    if (token !== except && (logits[start + token] as number) > (logits[start + best] as number)) best = token;
  }
  return best;
}

/** The logarithm of the sum of two probabilities, given as logarithms. */
export function addLogs(one: number, other: number): number {
  const [high, low] = one > other ? [one, other] : [other, one];
  return low === Number.NEGATIVE_INFINITY ? high : high + Math.log1p(Math.exp(low - high));
}
