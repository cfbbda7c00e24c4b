import { NO_API_KEY } from "@parley/contract/calls";
import type { BreakdownBucket, BreakdownRow, UsageBreakdown, UsageDimension } from "@parley/contract/usage";
import { type CallFilter, createdWithin } from "../calls/call-filter.ts";
import type { UsageNumbers } from "./usage-queries.ts";
import { type Column, type Grouping, type Measure, type RowOrder, spanOfDay, type UsageScope } from "./usage-search.ts";

type CardId = "calls" | "answered" | "completed" | "minutes" | "cost" | "response" | "interrupted";

export interface UsageCard {
  readonly id: CardId;
  /** Null if there is nothing to compute it from. Shares are from 0 to 1. */
  readonly value: number | null;
  readonly change: Change | null;
}

/** How a value differs from that of the period before: relatively, or by how much a share differs. */
export interface Change {
  readonly kind: "relative" | "points";
  readonly amount: number;
}

/** The figures of the period, each compared with the period before. */
export function toCards({ breakdown: { total }, before }: Pick<UsageNumbers, "breakdown" | "before">): UsageCard[] {
  const card = (id: CardId, value: number | null, previous: number | null, kind: Change["kind"]): UsageCard => ({
    id,
    value,
    change: compare(value, previous, kind),
  });
  return [
    card("calls", total.calls, before.calls, "relative"),
    card("answered", shareOf(total.answered, total.calls), shareOf(before.answered, before.calls), "points"),
    card("completed", shareOf(completedOf(total), total.calls), shareOf(completedOf(before), before.calls), "points"),
    card("minutes", total.talkSeconds / 60, before.talkSeconds / 60, "relative"),
    card("cost", Number(total.spend), Number(before.spend), "relative"),
    card("response", total.responseMsP50, before.responseMsP50, "relative"),
    card(
      "interrupted",
      shareOf(total.interruptions, total.turns),
      shareOf(before.interruptions, before.turns),
      "points",
    ),
  ];
}

/** Null if there was nothing before. */
function compare(value: number | null, previous: number | null, kind: Change["kind"]): Change | null {
  if (value === null || previous === null) return null;
  if (kind === "points") return { kind, amount: value - previous };
  return previous === 0 ? null : { kind, amount: (value - previous) / previous };
}

/** A share from 0 to 1; null of nothing. */
function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

/** An ended call has completed or failed. */
export function completedOf({ calls, failed }: { readonly calls: number; readonly failed: number }): number {
  return calls - failed;
}

/** One layer of the stacked bars: a group, all smaller groups together, or simply all calls. */
type ChartLayer =
  | { readonly kind: "group"; readonly key: string; readonly values: readonly number[] }
  | { readonly kind: "rest" | "all"; readonly values: readonly number[] };

/** What can be added up over groups. */
type StackedMeasure = Exclude<Measure, "response">;

/** More layers cannot be told apart. */
const GROUPS_IN_CHART = 5;

/** Whether groups are times themselves. The chart, which is over time, does not stack them. */
export function isGroupedByTime(by: UsageDimension): boolean {
  return by === "day" || by === "hour";
}

/** The largest groups over time, and the rest; all calls together if the groups are times. */
export function toLayers({ by, total, rows }: UsageBreakdown, measure: StackedMeasure): ChartLayer[] {
  const buckets = total.buckets ?? [];
  const all = buckets.map((bucket) => measureOf(bucket, measure));
  if (isGroupedByTime(by)) return [{ kind: "all", values: all }];
  const groups = rows
    .flatMap(({ key, buckets: counted }) => (counted ? [{ key, values: align(buckets, counted, measure) }] : []))
    .map((group) => ({ ...group, sum: sumOf(group.values) }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum)
    .slice(0, GROUPS_IN_CHART);
  const rest = all.map((value, index) => {
    const left = value - sumOf(groups.map(({ values }) => values[index] ?? 0));
    // Sums of fractions may miss by less than the smallest amount.
    return left < 1e-6 ? 0 : left;
  });
  return [
    ...groups.map(({ key, values }) => ({ kind: "group", key, values }) as const),
    ...(sumOf(rest) > 0 ? [{ kind: "rest", values: rest } as const] : []),
  ];
}

function align(
  all: readonly BreakdownBucket[],
  counted: readonly BreakdownBucket[],
  measure: StackedMeasure,
): readonly number[] {
  const byStart = new Map(counted.map((bucket) => [bucket.start, measureOf(bucket, measure)]));
  return all.map(({ start }) => byStart.get(start) ?? 0);
}

function measureOf({ calls, talkSeconds, spend, interruptions }: BreakdownBucket, measure: StackedMeasure): number {
  switch (measure) {
    case "calls":
      return calls;
    case "minutes":
      return talkSeconds / 60;
    case "cost":
      return Number(spend);
    case "interruptions":
      return interruptions;
  }
}

/** What was not measured adds nothing. */
export function sumOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/** A group as the table shows it. Shares are null of nothing. */
export interface UsageRow {
  readonly key: string;
  readonly name: string;
  readonly calls: number;
  readonly answered: number | null;
  readonly completed: number | null;
  readonly minutes: number;
  readonly cost: number;
  /** The median response time in milliseconds, and that within which 95 % of the replies came; null if not measured. */
  readonly response: number | null;
  readonly slowest: number | null;
  /** The share of replies that the callee interrupted. */
  readonly interrupted: number | null;
  readonly incidents: number;
}

export function toRows(rows: readonly BreakdownRow[], nameOf: (key: string) => string): UsageRow[] {
  return rows.map((row) => ({
    key: row.key,
    name: nameOf(row.key),
    calls: row.calls,
    answered: shareOf(row.answered, row.calls),
    completed: shareOf(completedOf(row), row.calls),
    minutes: row.talkSeconds / 60,
    cost: Number(row.spend),
    response: row.responseMsP50,
    slowest: row.responseMsP95,
    interrupted: shareOf(row.interruptions, row.turns),
    incidents: row.incidents,
  }));
}

/** Rows without a value come last, whichever way. Without an order they stay as they are. */
export function sortRows(rows: readonly UsageRow[], order: RowOrder | undefined, by: Grouping): UsageRow[] {
  if (order === undefined) return [...rows];
  const sorted = order.replace("-", "") as Column;
  // The names of days and hours are not in the order of time, but their keys are.
  const column = sorted === "name" && isGroupedByTime(by) ? "key" : sorted;
  const sign = order.startsWith("-") ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [first, second] = [a[column], b[column]];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    if (typeof first === "string") return sign * first.localeCompare(String(second), undefined, { numeric: true });
    return sign * (first - Number(second));
  });
}

/** The filter of the list that has the calls of a group. */
export function callsOfGroup(
  by: Grouping,
  key: string,
  { from, to }: Pick<UsageBreakdown, "from" | "to">,
  scope: UsageScope,
  timeZone: string,
): CallFilter {
  if (by !== "day") return { ...scope, ...ofGroup(by, key, timeZone), ...endedWithin(from, to) };
  const day = spanOfDay(key);
  const startMs = Math.max(day.from.getTime(), Date.parse(from));
  const endMs = Math.min(day.to.getTime(), Date.parse(to));
  return { ...scope, ...endedWithin(new Date(startMs).toISOString(), new Date(endMs).toISOString()) };
}

/** The filter of the list that has the calls of one day or hour of the chart. */
export function callsOfBucket(
  { total, to }: Pick<UsageBreakdown, "total" | "to">,
  index: number,
  scope: UsageScope,
): CallFilter {
  const [bucket, next] = [total.buckets?.[index], total.buckets?.[index + 1]];
  return { ...scope, ...(bucket ? endedWithin(bucket.start, next?.start ?? to) : {}) };
}

function endedWithin(from: string, to: string) {
  return { phase: "ended", ...createdWithin(from, to) } as const;
}

function ofGroup(by: Exclude<Grouping, "day">, key: string, timeZone: string): CallFilter {
  switch (by) {
    case "agent":
      return { agentId: key };
    case "version":
      return { agentVersion: key };
    case "engine":
      return { engine: key };
    case "outcome":
      return { outcome: key };
    case "hour":
      return { hourOfDay: key, timeZone };
    case "key":
      return { apiKeyId: key || NO_API_KEY };
  }
}
