import type { RandomSource } from "../random-source.ts";

/** The same sequence for the same seed (mulberry32), so that a failing run can be repeated. */
export function seededRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    fraction,
    hex: (byteCount) =>
      Array.from({ length: byteCount }, () =>
        Math.floor(fraction() * 256)
          .toString(16)
          .padStart(2, "0"),
      ).join(""),
  };
}
