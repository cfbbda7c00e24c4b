import { describe, expect, test } from "vitest";
import { choosePeriod, daysOf, problemOfDays, readUsageSearch } from "./usage-search.ts";

describe("an address", () => {
  test("is read as it was written", () => {
    const custom = {
      from: "2026-06-01",
      to: "2026-06-15",
      agentId: "agt_1",
      by: "hour",
      measure: "cost",
      sort: "-cost",
    };
    expect(readUsageSearch(custom)).toEqual(custom);
    expect(readUsageSearch({ period: "quarter" })).toEqual({ period: "quarter" });
    expect(readUsageSearch({ measure: "cost", by: "day" })).toEqual({ measure: "cost", by: "day" });
  });

  test("without choices, or with those that exist no more, shows the last 30 days by outcome", () => {
    expect(readUsageSearch({ period: "month", by: "outcome", measure: "calls" })).toEqual({});
    expect(readUsageSearch({ period: "decade", by: "color", sort: "size", from: "2026-02-30", to: "soon" })).toEqual(
      {},
    );
  });

  test("limits the calls to a version of an agent and to an engine, and to no version without its agent", () => {
    const limited = { agentId: "agt_1", agentVersion: "2", engine: "local" };
    expect(readUsageSearch({ ...limited, agentVersion: 2 })).toEqual(limited);
    expect(readUsageSearch({ agentVersion: 2, engine: "" })).toEqual({});
    expect(readUsageSearch({ agentId: "agt_1", agentVersion: "draft" })).toEqual({ agentId: "agt_1" });
  });

  test("with a custom period needs no other", () => {
    expect(readUsageSearch({ period: "week", from: "2026-06-01", to: "2026-06-01" })).toEqual({
      from: "2026-06-01",
      to: "2026-06-01",
    });
  });
});

test.each([
  ["2026-06-01", "2026-06-01", null],
  ["2026-01-01", "2026-12-31", null],
  ["2025-12-31", "2026-12-31", "too_long"],
  ["2026-06-02", "2026-06-01", "reversed"],
  ["", "2026-06-01", "missing"],
  ["2026-06-01", "2026-06-31", "missing"],
])("from %s to %s: %s", (from, to, problem) => expect(problemOfDays(from, to)).toBe(problem));

describe("a period", () => {
  const now = new Date(2026, 5, 15, 17, 45);

  test("of seven days is today so far and the six days before it, compared with the week before up to the same time", () => {
    expect(choosePeriod({ period: "week" }, now)).toEqual({
      from: new Date(2026, 5, 9),
      to: now,
      days: 7,
      previous: { from: new Date(2026, 5, 2), to: new Date(2026, 5, 8, 17, 45) },
      granularity: "day",
    });
  });

  test("of one day is shown by the hour and compared with the day before", () => {
    expect(choosePeriod({ period: "today" }, now)).toEqual({
      from: new Date(2026, 5, 15),
      to: now,
      days: 1,
      previous: { from: new Date(2026, 5, 14), to: new Date(2026, 5, 14, 17, 45) },
      granularity: "hour",
    });
  });

  test("that is over is compared with the days directly before it", () => {
    expect(choosePeriod({ from: "2026-03-28", to: "2026-03-30" }, now)).toEqual({
      from: new Date(2026, 2, 28),
      to: new Date(2026, 2, 31),
      days: 3,
      previous: { from: new Date(2026, 2, 25), to: new Date(2026, 2, 28) },
      granularity: "day",
    });
  });

  test("that lies ahead is empty rather than refused", () => {
    const { from, to } = choosePeriod({ from: "2026-07-01", to: "2026-07-02" }, now);
    expect([from, to]).toEqual([new Date(2026, 6, 1), new Date(2026, 6, 3)]);
  });

  test("is shown in the fields of a custom one, so that choosing custom changes nothing", () => {
    expect(daysOf(choosePeriod({}, now))).toEqual({ from: "2026-05-17", to: "2026-06-15" });
  });
});
