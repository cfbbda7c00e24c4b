import { expect, test } from "vitest";
import { isNarrowed, isSearchable, readCallFilter, readCallsSearch } from "./call-filter.ts";

test("a filter is parsed from an address as it was put there", () => {
  const filter = { status: "failed", endReason: "busy", agentId: "agt_1", search: "(555) 010", sort: "-cost" };
  expect(readCallFilter(filter)).toEqual(filter);
});

test("an option that does not exist is left out, so that an old link still opens", () => {
  expect(readCallFilter({ status: "done", endReason: "toString", createdAfter: "soon", sort: "size" })).toEqual({});
  expect(isNarrowed(readCallFilter({ colour: "red" }))).toBe(false);
});

test("the filters behind a number of the usage page are kept, and their impossible values are not", () => {
  const filter = {
    ...{ agentVersion: "3", engine: "local", outcome: "confirmed", apiKeyId: "none", phase: "ended" },
    ...{ hourOfDay: "9", timeZone: "Europe/Berlin" },
  };
  expect(readCallFilter(filter)).toEqual(filter);
  expect(readCallFilter({ ...filter, agentVersion: 3, hourOfDay: 9 })).toEqual(filter);
  expect(readCallFilter({ agentVersion: "x", phase: "over", hourOfDay: "24", timeZone: "UTC" })).toEqual({});
});

test("links of earlier releases search for the same", () => {
  expect(readCallFilter({ q: "refund" })).toEqual({ search: "refund" });
  expect(readCallFilter({ phoneNumber: 15550100001 })).toEqual({ search: "15550100001" });
});

test("an order alone does not narrow the list", () => {
  expect(isNarrowed({ sort: "createdAt" })).toBe(false);
  expect(isNarrowed({ search: "x" })).toBe(true);
});

test.each(["!!!", "-refund", "- 👍"])("a search for nothing is not sent: %s", (search) => {
  expect(isSearchable({ search })).toBe(false);
});

test.each(["+1 (555) 010-0001", "refund -order", "call_01k8", "Zoë"])("%s can be searched for", (search) => {
  expect(isSearchable({ search })).toBe(true);
});

test("the board of live calls has an address", () => {
  expect(readCallsSearch({ show: "live" })).toEqual({ show: "live" });
  expect(readCallsSearch({ show: "all" })).toEqual({});
});
