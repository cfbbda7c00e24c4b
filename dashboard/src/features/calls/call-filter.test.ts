import { expect, test } from "vitest";
import { isNarrowed, readCallFilter } from "./call-filter.ts";

test("a filter is read out of an address as it was put there", () => {
  const filter = { status: "failed", endReason: "busy", agentId: "agt_1", phoneNumber: "+15550100001" };
  expect(readCallFilter(filter)).toEqual(filter);
});

test("what the API would refuse is left out, so that an old link still opens", () => {
  expect(readCallFilter({ status: "done", endReason: "toString", phoneNumber: "abc", createdAfter: "soon" })).toEqual(
    {},
  );
  expect(isNarrowed(readCallFilter({ colour: "red" }))).toBe(false);
});

test("a number is found as people write it", () => {
  expect(readCallFilter({ phoneNumber: "+1 (555) 010-0001" })).toEqual({ phoneNumber: "+15550100001" });
  expect(readCallFilter({ phoneNumber: 15550100001 })).toEqual({ phoneNumber: "+15550100001" });
});
