/** Far more than a clause takes on the slowest machine: who is not done by then never will be. */
const PATIENCE_MS = 50_000;

/** Turns a promise that never settles into one that fails. */
export async function soon<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`${what} did not end within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  try {
    return await Promise.race([promise, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What a promise came to, be it a value or the reason of its failure. */
export async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await soon(promise, "an answer");
  } catch (reason) {
    return reason;
  }
}

export async function joinPieces(pieces: AsyncIterable<Int16Array>): Promise<Int16Array> {
  const samples: number[] = [];
  for await (const piece of pieces) for (const sample of piece) samples.push(sample);
  return Int16Array.from(samples);
}
