import { expect, test } from "vitest";
import { isNarrowed, problemOfNumber, readCallFilter, toCallQuery } from "./call-filter.ts";

test("a filter is parsed from an address as it was put there", () => {
  const filter = { status: "failed", endReason: "busy", agentId: "agt_1", phoneNumber: "+15550100001" };
  expect(readCallFilter(filter)).toEqual(filter);
});

test("an option that does not exist is left out, so that an old link still opens", () => {
  expect(readCallFilter({ status: "done", endReason: "toString", createdAfter: "soon" })).toEqual({});
  expect(isNarrowed(readCallFilter({ colour: "red" }))).toBe(false);
});

test.each([
  ["+1 (555) 010-0001", "15550100001"],
  [15550100001, "15550100001"],
  ["(555) 010-0020", "5550100020"],
  ["0100020", "0100020"],
  ["+1 555", "1555"],
])("calls are looked for by %s, as people write it, whole or in part", (typed, asked) => {
  const filter = readCallFilter({ phoneNumber: typed });
  expect(problemOfNumber(filter)).toBeNull();
  expect(toCallQuery(filter)).toEqual({ phoneNumber: asked });
});

test.each(["abc", "12", "+", "555-0100 ext. 7", "1234567890123456", "+1 +1 555"])(
  "a number that cannot be searched for is never dropped silently: %s",
  (typed) => {
    const filter = readCallFilter({ phoneNumber: typed });
    expect(filter).toEqual({ phoneNumber: typed });
    expect(problemOfNumber(filter)).toMatch(/^[A-Z].*\.$/);
  },
);
