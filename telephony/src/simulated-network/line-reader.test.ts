import { describe, expect, it } from "vitest";
import { createLineReader } from "./line-reader.ts";

function readAll(chunks: readonly Buffer[], lineMaxBytes = 8): string[] {
  const seen: string[] = [];
  const read = createLineReader({
    lineMaxBytes,
    onLine: (line) => seen.push(line),
    onTooLong: () => seen.push("<too long>"),
  });
  for (const chunk of chunks) read(chunk);
  return seen;
}

describe("reading lines from a connection", () => {
  it("finds the same lines however the bytes were cut, also inside a character", () => {
    const bytes = Buffer.from("a\nb€c\n\nlast\n");
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(readAll([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(["a", "b€c", "last"]);
    }
  });

  it("takes a line of exactly the limit and throws a longer one away once", () => {
    expect(readAll([Buffer.from("12345678\n123456789"), Buffer.from("still the same\nok\n")])).toEqual([
      "12345678",
      "<too long>",
      "ok",
    ]);
  });

  it("says nothing about a line that is not finished", () => {
    expect(readAll([Buffer.from("half")])).toEqual([]);
  });
});
