import { createSeededRandom } from "../seeded-random.ts";

/** Numbers that look random and are the same in every run of a test. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  wholeBetween(low: number, high: number): number;
  pick<T>(from: readonly T[]): T;
  /** Normal, with mean 0 and deviation 1. */
  normal(): number;
}

export function createRandom(seed: number): Random {
  const next = createSeededRandom(seed);
  const between = (low: number, high: number) => low + (high - low) * next();
  const wholeBetween = (low: number, high: number) => Math.floor(between(low, high + 1));
  return {
    next,
    between,
    wholeBetween,
    pick: (from) => from[wholeBetween(0, from.length - 1)] as (typeof from)[number],
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
