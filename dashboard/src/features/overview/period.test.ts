import { expect, test } from "vitest";
import { beginningOf, groupingOf, groupingsOf, readOverviewSearch } from "./period.ts";

test("a period is parsed from an address, and an old or mistyped one is the week", () => {
  expect(readOverviewSearch({ period: "month" })).toEqual({ period: "month" });
  expect(readOverviewSearch({ period: "week" })).toEqual({});
  expect(readOverviewSearch({ period: "decade", more: 1 })).toEqual({});
});

test("an agent and one of its versions are parsed from an address, and no version without its agent", () => {
  expect(readOverviewSearch({ agentId: "agt_1", agentVersion: 2 })).toEqual({ agentId: "agt_1", agentVersion: "2" });
  expect(readOverviewSearch({ agentId: "agt_1", agentVersion: "draft" })).toEqual({ agentId: "agt_1" });
  expect(readOverviewSearch({ agentId: "", agentVersion: "2" })).toEqual({});
});

test("calls are grouped by agent, or by version within one agent, unless the address says otherwise", () => {
  expect(groupingsOf({})).toEqual(["agent", "engine", "outcome", "hour"]);
  expect(groupingOf({})).toBe("agent");
  expect(groupingOf({ agentId: "agt_1" })).toBe("version");
  expect(readOverviewSearch({ by: "hour" })).toEqual({ by: "hour" });
  expect(readOverviewSearch({ by: "agent" })).toEqual({});
  expect(readOverviewSearch({ by: "version" })).toEqual({});
  expect(readOverviewSearch({ agentId: "agt_1", by: "engine" })).toEqual({ agentId: "agt_1", by: "engine" });
});

test("seven days are today and the six whole days before it", () => {
  const from = beginningOf("week", new Date(2026, 5, 15, 17, 45));
  expect(from).toEqual(new Date(2026, 5, 9));
});

test("24 hours begin on the hour, so that there are 24 of them", () => {
  const now = new Date(2026, 5, 15, 17, 45);
  const from = beginningOf("day", now);
  expect(from.getMinutes()).toBe(0);
  expect(Math.ceil((now.getTime() - from.getTime()) / 3_600_000)).toBe(24);
});
