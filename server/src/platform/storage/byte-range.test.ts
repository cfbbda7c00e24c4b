import { expect, test } from "vitest";
import { readByteRange } from "./byte-range.ts";

test.each([
  ["bytes=0-99", { first: 0, last: 99 }],
  ["bytes=500-", { first: 500, last: 999 }],
  ["bytes=900-5000", { first: 900, last: 999 }],
  ["bytes=-100", { first: 900, last: 999 }],
  ["bytes=-5000", { first: 0, last: 999 }],
  ["BYTES=0-0", { first: 0, last: 0 }],
  ["bytes=1000-", "beyond"],
  ["bytes=99999999999999999999-", "beyond"],
  ["bytes=-0", "beyond"],
  [undefined, "whole"],
  ["", "whole"],
  ["bytes=-", "whole"],
  ["bytes=5-2", "whole"],
  ["bytes=0-1,5-6", "whole"],
  ["seconds=0-1", "whole"],
  ["bytes=a-b", "whole"],
] as const)("of a file of 1,000 bytes, %s is %j", (header, expected) => {
  expect(readByteRange(header, 1_000)).toEqual(expected);
});

test("of an empty file there is no part", () => {
  expect(readByteRange("bytes=0-", 0)).toBe("beyond");
});
