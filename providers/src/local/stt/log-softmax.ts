/** The logarithm of a token's probability, from one row of weights. */
export function logProbabilityOf(logits: Float32Array, start: number, width: number, token: number): number {
  return (logits[start + token] as number) - logSumExp(logits, start, width);
}

export function logSumExp(logits: Float32Array, start: number, width: number): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = start; at < start + width; at++) if ((logits[at] as number) > highest) highest = logits[at] as number;
  let sum = 0;
  for (let at = start; at < start + width; at++) sum += Math.exp((logits[at] as number) - highest);
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
