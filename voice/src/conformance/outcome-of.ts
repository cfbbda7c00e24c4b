import { systemClock } from "@parley/time/clock";
import { within } from "@parley/time/within";

/** Far more than a clause takes on the slowest machine: anything not done by then never will be. */
const PATIENCE_MS = 50_000;

/** Turns a promise that never settles into one that fails. */
export function soon<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  return within(systemClock, PATIENCE_MS, promise, () => {
    throw new Error(`${what} did not end within ${PATIENCE_MS} ms`);
  });
}

/** The outcome of a promise, a value or the reason of its failure. */
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
