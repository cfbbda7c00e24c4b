import { expect, test } from "vitest";
import { readAgentSearch } from "./agent-search.ts";

test("what calls are grouped by is parsed from an address, and versions need not be in it", () => {
  expect(readAgentSearch({ by: "engine" })).toEqual({ by: "engine" });
  expect(readAgentSearch({ by: "version" })).toEqual({});
  expect(readAgentSearch({ by: "agent" })).toEqual({});
});

test("a period and a version are parsed from an address, and anything else is dropped", () => {
  expect(readAgentSearch({ period: "week", version: 3 })).toEqual({ period: "week", version: "3" });
  expect(readAgentSearch({ period: "month", version: "all" })).toEqual({ version: "all" });
  expect(readAgentSearch({ period: "decade", version: "0", more: 1 })).toEqual({});
});
