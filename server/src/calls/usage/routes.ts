import type { EndReason } from "@parley/contract/calls";
import { invalidField } from "@parley/contract/errors";
import { formatUsd } from "@parley/contract/money";
import { getUsage, getUsageBreakdown } from "@parley/contract/routes/account";
import type { Mode } from "@parley/contract/shared-fields";
import {
  BREAKDOWN_BUCKETS_MAX,
  USAGE_DAYS_MAX,
  type Usage,
  type UsageBreakdown,
  type UsageBreakdownQuery,
  type UsageFigures,
  type UsageQuery,
} from "@parley/contract/usage";
import type { Database } from "../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import {
  type CountedCalls,
  type CountedEnds,
  type CountedReplies,
  readUsageBuckets,
  readUsageBy,
  readUsageCalls,
  readUsageReplies,
  type UsagePeriod,
} from "./usage-store.ts";

interface UsageDeps {
  /** Where statistics are read, which may be some seconds old. */
  reading(): Database;
  nowMs(): number;
}

export function usageRoutes({ reading, nowMs }: UsageDeps): BoundRoute[] {
  return [
    handle(getUsage, async ({ accountId, mode, query }) => ({
      data: await readUsage(reading(), accountId, mode, query, nowMs()),
    })),
    handle(getUsageBreakdown, async ({ accountId, mode, query }) => ({
      data: await readBreakdown(reading(), accountId, mode, query, nowMs()),
    })),
  ];
}

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const DAYS_BY_DEFAULT = 30;

/** The totals of an account's calls in one mode. */
async function readUsage(
  db: Database,
  accountId: string,
  mode: Mode,
  query: UsageQuery,
  nowMs: number,
): Promise<Usage> {
  const period = { accountId, mode, ...choosePeriod(query, nowMs) };
  const [calls, replies] = await Promise.all([readUsageCalls(db, period), readUsageReplies(db, period)]);
  const repliesOf = new Map(replies.map((row) => [row.bucket?.getTime() ?? null, row]));
  const buckets = Map.groupBy(calls, ({ bucket }) => bucket.getTime());
  return {
    mode,
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    granularity: period.granularity,
    timeZone: period.timeZone,
    total: toFigures(calls, repliesOf.get(null)),
    buckets: [...buckets].map(([startMs, rows]) => ({
      start: new Date(startMs).toISOString(),
      ...toFigures(rows, repliesOf.get(startMs)),
    })),
    endReasons: countReasons(calls),
  };
}

const HOUR_MS = 60 * 60_000;

/** Ended calls by one property. */
async function readBreakdown(
  db: Database,
  accountId: string,
  mode: Mode,
  query: UsageBreakdownQuery,
  nowMs: number,
): Promise<UsageBreakdown> {
  const { by, agentId, agentVersion, engine, timeZone, granularity = null } = query;
  if (agentId === undefined && (by === "version" || agentVersion !== undefined))
    throw invalidField("agentId", "required", "agentId is required for versions.");
  const chosen = choosePeriod({ ...query, granularity: granularity ?? "day" }, nowMs);
  const from = new Date(Math.floor(chosen.from.getTime() / HOUR_MS) * HOUR_MS);
  const to = new Date(Math.ceil(chosen.to.getTime() / HOUR_MS) * HOUR_MS);
  const period = {
    ...{ accountId, mode, from, to, timeZone, by },
    ...{ agentId: agentId ?? null, agentVersion: agentVersion ?? null, engine: engine ?? null },
  };
  const [total, ...rows] = await readUsageBy(db, period);
  if (!total) throw new Error("a sum over everything has one row");
  const largest = rows.toSorted((a, b) => b.calls - a.calls).slice(0, BREAKDOWN_BUCKETS_MAX);
  const keys = largest.flatMap(({ key }) => key ?? []);
  const buckets = granularity ? await readUsageBuckets(db, period, granularity, keys) : null;
  const listed = new Set([null, ...keys]);
  const bucketsOf = (wanted: string | null) => {
    if (buckets === null || !listed.has(wanted)) return {};
    const ofGroup = buckets.filter(({ key }) => key === wanted);
    return {
      buckets: ofGroup.map(({ bucket, ...sums }) => ({ start: bucket.toISOString(), ...toEndFigures(sums) })),
    };
  };
  return {
    mode,
    from: from.toISOString(),
    to: to.toISOString(),
    by,
    total: { ...toEndFigures(total), ...bucketsOf(null) },
    rows: rows.map((row) => ({ key: row.key ?? "", ...toEndFigures(row), ...bucketsOf(row.key) })),
  };
}

function toEndFigures({ key: _, talk_seconds, cost_micros, replies, ...sums }: CountedEnds) {
  const bins = splitBins(replies);
  return {
    ...sums,
    talkSeconds: Number(talk_seconds),
    spend: formatUsd(cost_micros),
    responseMsP50: percentileOf(bins, 0.5),
    responseMsP95: percentileOf(bins, 0.95),
  };
}

const DIGITS_PER_BIN = 12;

/** The number of replies by bin; `count_call_by_agent` in the migrations is the inverse. */
function splitBins(digits: string): number[] {
  const bins: number[] = [];
  for (let end = digits.length; end > 0; end -= DIGITS_PER_BIN)
    bins.push(Number(digits.slice(Math.max(0, end - DIGITS_PER_BIN), end)));
  return bins;
}

/** Null without replies. */
function percentileOf(bins: readonly number[], share: number): number | null {
  const wanted = share * bins.reduce((sum, replies) => sum + replies, 0);
  let soFar = 0;
  const bin = bins.findIndex((replies) => {
    soFar += replies;
    return replies > 0 && soFar >= wanted;
  });
  return bin === -1 ? null : msOfBin(bin);
}

/** Aligns the period to whole quarters of an hour and refuses one that is empty or too long. */
function choosePeriod(query: UsageQuery, nowMs: number): Omit<UsagePeriod, "accountId" | "mode"> {
  const { granularity, timeZone } = query;
  const toMs = query.to === undefined ? nowMs : Date.parse(query.to);
  const fromMs = query.from === undefined ? toMs - defaultDays(granularity) * DAY_MS : Date.parse(query.from);
  if (fromMs >= toMs) throw invalidField("from", "not_before_to", "from must lie before to.");
  const daysMax = USAGE_DAYS_MAX[granularity];
  if (toMs - fromMs > daysMax * DAY_MS)
    throw invalidField("from", "too_long", `from must lie at most ${daysMax} days before to by the ${granularity}.`);
  return {
    from: new Date(Math.floor(fromMs / QUARTER_MS) * QUARTER_MS),
    to: new Date(Math.ceil(toMs / QUARTER_MS) * QUARTER_MS),
    granularity,
    timeZone,
  };
}

function defaultDays(granularity: UsageQuery["granularity"]): number {
  return Math.min(DAYS_BY_DEFAULT, USAGE_DAYS_MAX[granularity]);
}

function toFigures(rows: readonly CountedCalls[], replies: CountedReplies | undefined): UsageFigures {
  const sum = (read: (row: CountedCalls) => number) => rows.reduce((total, row) => total + read(row), 0);
  return {
    calls: sum(({ calls }) => calls),
    answered: sum(({ answered }) => answered),
    failed: sum(({ failed }) => failed),
    talkSeconds: sum(({ talk_seconds }) => Number(talk_seconds)),
    spend: formatUsd(rows.reduce((total, { cost_micros }) => total + cost_micros, 0n)),
    turns: replies?.replies ?? 0,
    responseMsP50: replies ? msOfBin(replies.bin_p50) : null,
    responseMsP95: replies ? msOfBin(replies.bin_p95) : null,
    interruptions: rows.some(({ interruptions }) => interruptions === null)
      ? null
      : sum(({ interruptions }) => interruptions ?? 0),
  };
}

/** The middle of a bin; `reply_bin` in the migrations is the inverse. */
function msOfBin(bin: number): number {
  return Math.round(1.05 ** bin);
}

function countReasons(rows: readonly CountedCalls[]): Usage["endReasons"] {
  const counts = new Map<EndReason, number>();
  for (const { end_reason: reason, calls } of rows) {
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + calls);
  }
  return [...counts].map(([endReason, calls]) => ({ endReason, calls })).sort((a, b) => b.calls - a.calls);
}
