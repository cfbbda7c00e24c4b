import { createSeededRandom } from "@parley/audio/seeded-random";
import type { RandomSource } from "../random-source.ts";

/** The same sequence for the same seed, so that a failing run can be repeated. */
export function seededRandom(seed: number): RandomSource {
  const fraction = createSeededRandom(seed);
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
