import { expect, it } from "vitest";
import { POSITION_WORDS, publishPosition, readPosition } from "./shared-position.ts";

const AROUND = [0, 1, 2 ** 30 - 1, 2 ** 30, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 33 + 12_345, 2 ** 50 + 7];

it("any count of samples survives publishing", () => {
  const words = new Int32Array(new SharedArrayBuffer(4 * POSITION_WORDS));
  for (const position of AROUND) {
    publishPosition(words, 0, position);
    expect(readPosition(words, 0)).toBe(position);
  }
});

it("a reader between the two stores of the writer sees the old count or the new one, never a mix", () => {
  const words = new Int32Array(2);
  for (const position of AROUND.filter((value) => value > 160)) {
    const before = new Int32Array(2);
    const after = new Int32Array(2);
    publishPosition(before, 0, position - 160);
    publishPosition(after, 0, position);
    // The high word is stored first, and a reader may also have loaded it long before the low word.
    words.set([after[0] ?? 0, before[1] ?? 0]);
    expect(readPosition(words, 0)).toBe(position - 160);
    words.set([before[0] ?? 0, after[1] ?? 0]);
    expect(readPosition(words, 0)).toBe(position);
  }
});
