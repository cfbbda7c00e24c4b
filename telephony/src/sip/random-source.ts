import { randomBytes } from "node:crypto";

/** Chance as a parameter: tags, branches and nonces in service, a repeatable sequence in tests. */
export interface RandomSource {
  /** Unpredictable bytes as lower-case hexadecimal, two characters each. */
  hex(byteCount: number): string;
  /** From 0 up to but not including 1. */
  fraction(): number;
}

export const systemRandom: RandomSource = {
  hex: (byteCount) => randomBytes(byteCount).toString("hex"),
  fraction: () => randomBytes(4).readUInt32BE() / 2 ** 32,
};
