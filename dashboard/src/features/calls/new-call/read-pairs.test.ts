import { expect, test } from "vitest";
import { readPairs } from "./read-pairs.ts";

test("only the first equals sign separates, and empty lines do not count", () => {
  expect(readPairs("first_name = Ada\n\nformula=a=b\nempty=")).toEqual({
    ok: true,
    pairs: { first_name: "Ada", formula: "a=b", empty: "" },
  });
});

test.each([
  ["a=1\nnonsense", "Line 2 has no equals sign"],
  ["=1", "Line 1 has no name"],
  ["a=1\na=2", "Line 2 repeats the name a"],
])("a line that cannot be read is named: %j", (text, problem) => {
  expect(readPairs(text)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
});
