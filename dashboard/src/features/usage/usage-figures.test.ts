import type { BreakdownBucket, BreakdownRow, UsageBreakdown } from "@parley/contract/usage";
import { describe, expect, test } from "vitest";
import { createdWithin } from "../calls/call-filter.ts";
import { callsOfBucket, callsOfGroup, sortRows, toCards, toLayers, toRows } from "./usage-figures.ts";
import type { UsageNumbers } from "./usage-queries.ts";
import { choosePeriod } from "./usage-search.ts";
import { groupLabel } from "./usage-words.ts";

const DAYS = ["2026-06-13T22:00:00.000Z", "2026-06-14T22:00:00.000Z", "2026-06-15T22:00:00.000Z"] as const;
const END = "2026-06-16T22:00:00.000Z";

const bucket = (start: string, calls: number, spend = "0.00"): BreakdownBucket => ({
  ...{ start, calls, spend, answered: calls, failed: 0, talkSeconds: 60 * calls },
  ...{ turns: 10 * calls, interruptions: 2 * calls, incidents: 0, responseMsP50: 600, responseMsP95: 1400 },
});

function row(key: string, calls: number, more: Partial<BreakdownRow> = {}): BreakdownRow {
  return {
    ...{ key, calls, answered: calls, failed: 0, talkSeconds: 0, spend: "0.00" },
    ...{ turns: 0, interruptions: 0, incidents: 0, responseMsP50: null, responseMsP95: null },
    ...more,
  };
}

const total = (calls: number, more: Partial<BreakdownRow> = {}): UsageBreakdown["total"] => {
  const { key: _, ...figures } = row("", calls, more);
  return figures;
};

const breakdown = (more: Partial<UsageBreakdown>): UsageBreakdown => ({
  mode: "live",
  by: "outcome",
  from: DAYS[0],
  to: END,
  total: total(0),
  rows: [],
  ...more,
});

const numbers = (now: UsageBreakdown["total"], before: UsageBreakdown["total"]): UsageNumbers => ({
  period: choosePeriod({}, new Date(END)),
  scope: {},
  by: "outcome",
  breakdown: breakdown({ total: now }),
  before,
});

describe("the figures of a period", () => {
  const replies = (responseMsP50: number, interruptions: number) => ({ turns: 100, responseMsP50, interruptions });
  const cards = (...given: Parameters<typeof numbers>) =>
    Object.fromEntries(toCards(numbers(...given)).map(({ id, ...card }) => [id, card]));

  test("are compared with the period before: amounts relatively, shares by points", () => {
    const now = total(200, { answered: 150, failed: 40, talkSeconds: 6000, spend: "12.50", ...replies(600, 30) });
    const before = total(100, { answered: 50, failed: 50, talkSeconds: 12_000, spend: "10.00", ...replies(800, 10) });
    expect(cards(now, before)).toEqual({
      calls: { value: 200, change: { kind: "relative", amount: 1 } },
      answered: { value: 0.75, change: { kind: "points", amount: 0.25 } },
      completed: { value: 0.8, change: { kind: "points", amount: expect.closeTo(0.3) } },
      minutes: { value: 100, change: { kind: "relative", amount: -0.5 } },
      cost: { value: 12.5, change: { kind: "relative", amount: 0.25 } },
      response: { value: 600, change: { kind: "relative", amount: -0.25 } },
      interrupted: { value: 0.3, change: { kind: "points", amount: expect.closeTo(0.2) } },
    });
  });

  test("are compared with nothing if there were no calls before", () => {
    const { calls, answered, cost } = cards(total(3), total(0));
    expect([calls, answered, cost]).toEqual([
      { value: 3, change: null },
      { value: 1, change: null },
      { value: 0, change: null },
    ]);
  });

  test("have no response time and no interruptions without replies", () => {
    const { response, interrupted } = cards(total(1), total(1, replies(600, 1)));
    expect([response, interrupted]).toEqual([
      { value: null, change: null },
      { value: null, change: null },
    ]);
  });
});

describe("the layers of the chart", () => {
  const buckets = [bucket(DAYS[0], 10, "0.30"), bucket(DAYS[1], 0), bucket(DAYS[2], 5, "0.10")];

  test("are the largest groups, aligned to all days, and the rest", () => {
    const rows = [
      row("a", 8, { buckets: [bucket(DAYS[0], 6), bucket(DAYS[2], 2)] }),
      row("b", 3, { buckets: [bucket(DAYS[2], 3)] }),
      // The API lists it without its days.
      row("c", 4),
    ];
    expect(toLayers(breakdown({ total: total(15, { buckets }), rows }), "calls")).toEqual([
      { kind: "group", key: "a", values: [6, 0, 2] },
      { kind: "group", key: "b", values: [0, 0, 3] },
      { kind: "rest", values: [4, 0, 0] },
    ]);
  });

  test("are at most five groups, the largest of what is shown", () => {
    const rows = Array.from({ length: 7 }, (_, index) =>
      row(String(index), 2, { buckets: [bucket(DAYS[0], 1, `0.0${index}`)] }),
    );
    const all = breakdown({ total: total(7, { buckets: [bucket(DAYS[0], 7, "0.21")] }), rows });
    const layers = toLayers(all, "cost");
    expect(layers.map((layer) => (layer.kind === "group" ? layer.key : layer.kind))).toEqual([
      ...["6", "5", "4", "3", "2"],
      "rest",
    ]);
    expect(layers.at(-1)?.values[0]).toBeCloseTo(0.01);
  });

  test("leave no rest behind where fractions do not add up exactly", () => {
    const rows = [
      row("a", 1, { buckets: [bucket(DAYS[0], 1, "0.1")] }),
      row("b", 1, { buckets: [bucket(DAYS[0], 1, "0.2")] }),
    ];
    const all = breakdown({ total: total(2, { buckets: [bucket(DAYS[0], 2, "0.3")] }), rows });
    expect(toLayers(all, "cost").map(({ kind }) => kind)).toEqual(["group", "group"]);
  });

  test("can be interruptions", () => {
    const rows = [row("a", 8, { buckets: [bucket(DAYS[2], 3)] })];
    expect(toLayers(breakdown({ total: total(15, { buckets }), rows }), "interruptions")).toEqual([
      { kind: "group", key: "a", values: [0, 0, 6] },
      { kind: "rest", values: [20, 0, 4] },
    ]);
  });

  test.each([
    ["hour", "9"],
    ["day", "2026-06-14"],
  ] as const)("are one if calls are grouped by %s", (by, key) => {
    const rows = [row(key, 15, { buckets: [bucket(DAYS[0], 10)] })];
    expect(toLayers(breakdown({ by, total: total(15, { buckets }), rows }), "minutes")).toEqual([
      { kind: "all", values: [10, 0, 5] },
    ]);
  });
});

describe("the rows of the table", () => {
  const times = { responseMsP50: 650, responseMsP95: 1400 };
  const rows = toRows(
    [
      row("a", 4, { answered: 1, failed: 1, talkSeconds: 90, spend: "0.25", turns: 10, interruptions: 1, ...times }),
      row("b", 12, { answered: 12, responseMsP50: 500, responseMsP95: 2000 }),
      row("c", 0),
    ],
    (key) => ({ a: "Version 10", b: "Version 9", c: "Draft" })[key] ?? key,
  );
  const order = (sort: Parameters<typeof sortRows>[1]) => sortRows(rows, sort, "version").map(({ key }) => key);

  test("have shares, minutes and dollars", () => {
    expect(rows[0]).toEqual({
      ...{ key: "a", name: "Version 10", calls: 4, answered: 0.25, completed: 0.75, minutes: 1.5, cost: 0.25 },
      ...{ response: 650, slowest: 1400, interrupted: 0.1, incidents: 0 },
    });
  });

  test("are sorted by numbers, and by names as people count", () => {
    expect(order("-calls")).toEqual(["b", "a", "c"]);
    expect(order("calls")).toEqual(["c", "a", "b"]);
    expect(order("name")).toEqual(["c", "b", "a"]);
    expect(order(undefined)).toEqual(["a", "b", "c"]);
  });

  test.each([
    ["day", ["2026-04-30", "2026-05-01", "2026-10-02"]],
    ["hour", ["0", "9", "13"]],
  ] as const)("are sorted by %s in the order of time, whatever the names are", (by, keys) => {
    const names = { agents: new Map(), keys: new Map() };
    const times = toRows(
      keys.map((key, index) => row(key, index)),
      (key) => groupLabel(by, key, names),
    );
    const sorted = (sort: "name" | "-name" | "-calls") => sortRows(times, sort, by).map(({ key }) => key);
    expect(sorted("name")).toEqual(keys);
    expect(sorted("-name")).toEqual(keys.toReversed());
    expect(sorted("-calls")).toEqual(keys.toReversed());
  });

  test("without a value come last, whichever way", () => {
    expect(order("answered")).toEqual(["a", "b", "c"]);
    expect(order("-answered")).toEqual(["b", "a", "c"]);
    expect(order("interrupted")[0]).toBe("a");
    expect(order("response")).toEqual(["b", "a", "c"]);
    expect(order("-slowest")).toEqual(["b", "a", "c"]);
  });
});

describe("the calls behind a number", () => {
  const period = { from: DAYS[0], to: END };
  const ended = { phase: "ended", createdAfter: "2026-06-13T21:59:59.999Z", createdBefore: END };

  test.each([
    ["outcome", "confirmed", { outcome: "confirmed" }],
    ["agent", "agt_1", { agentId: "agt_1" }],
    ["engine", "local", { engine: "local" }],
    ["hour", "9", { hourOfDay: "9", timeZone: "Europe/Berlin" }],
    ["key", "key_1", { apiKeyId: "key_1" }],
    ["key", "", { apiKeyId: "none" }],
  ] as const)("of the %s %s are listed by a filter", (by, key, filter) => {
    expect(callsOfGroup(by, key, period, {}, "Europe/Berlin")).toEqual({ ...filter, ...ended });
  });

  test("of a version are those of its agent", () => {
    expect(callsOfGroup("version", "3", period, { agentId: "agt_1" }, "UTC")).toEqual({
      ...{ agentId: "agt_1", agentVersion: "3" },
      ...ended,
    });
  });

  test("of one engine and version are listed with both", () => {
    const scope = { agentId: "agt_1", agentVersion: "3", engine: "local" };
    expect(callsOfGroup("outcome", "busy", period, scope, "UTC")).toEqual({ ...scope, outcome: "busy", ...ended });
  });

  test("of a row that is a day are those of that day in the reader's time zone, within the period", () => {
    const at = (day: number, hour = 0) => new Date(2026, 5, day, hour).toISOString();
    const days = { from: at(14), to: at(16, 18) };
    const of = (key: string) => callsOfGroup("day", key, days, { engine: "local" }, "UTC");
    const limits = { engine: "local", phase: "ended" };
    expect(of("2026-06-15")).toEqual({ ...limits, ...createdWithin(at(15), at(16)) });
    expect(of("2026-06-16")).toEqual({ ...limits, ...createdWithin(at(16), at(16, 18)) });
  });

  test("of a bar that is a day end where the next begins, and of the last day with the period", () => {
    const all = breakdown({ total: total(1, { buckets: DAYS.map((start) => bucket(start, 1)) }) });
    expect(callsOfBucket(all, 0, {})).toEqual({ ...ended, createdBefore: DAYS[1] });
    expect(callsOfBucket(all, 2, { agentId: "agt_1" })).toEqual({
      ...{ agentId: "agt_1", phase: "ended" },
      ...{ createdAfter: "2026-06-15T21:59:59.999Z", createdBefore: END },
    });
  });
});
