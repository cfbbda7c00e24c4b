import type { EndReason } from "@parley/contract/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { BREAKDOWN_ROWS_MAX, type UsageDimension, type UsageGranularity } from "@parley/contract/usage";
import { type Database, run } from "../../platform/database/database.ts";

/** A period in whole quarters of an hour, and its granularity. */
export interface UsagePeriod {
  readonly accountId: string;
  readonly mode: Mode;
  readonly from: Date;
  readonly to: Date;
  readonly granularity: UsageGranularity;
  readonly timeZone: string;
}

/** Totals of the calls of one bucket that ended in one way; null for those still running, and in an empty bucket. */
export interface CountedCalls {
  readonly bucket: Date;
  readonly end_reason: EndReason | null;
  readonly calls: number;
  readonly answered: number;
  readonly failed: number;
  readonly talk_seconds: bigint;
  readonly cost_micros: bigint;
  /** Null if they were not counted for all of these calls. */
  readonly interruptions: number | null;
}

/** The reply delays of a bucket, as bins; without a bucket, those of the whole period. */
export interface CountedReplies {
  readonly bucket: Date | null;
  readonly replies: number;
  readonly bin_p50: number;
  readonly bin_p95: number;
}

const values = ({ accountId, mode, from, to, granularity, timeZone }: UsagePeriod) => [
  accountId,
  mode,
  from,
  to,
  granularity,
  timeZone,
];

/**
 * The beginning of the day or the hour of a quarter. An hour is counted back from the quarter itself, because an hour
 * may occur twice in a time zone.
 */
const bucketOf = (quarter: string) => `case $5::text
  when 'day' then date_trunc('day', ${quarter}, $6::text)
  else ${quarter} - make_interval(mins => extract(minute from ${quarter} at time zone $6::text)::int) end`;

// Each quarter is placed once, however many rows it has. Buckets are computed in the same way as their contents, so
// that no clock change separates the two.
const QUARTERS = `quarters as materialized (
    select quarter_at, ${bucketOf("quarter_at")} as bucket
    from generate_series($3::timestamptz, $4::timestamptz - interval '15 minutes', interval '15 minutes') as quarter_at
  )`;

const READ_CALLS = `/* read_usage_calls */
  with ${QUARTERS}, ended as (
    select q.bucket, u.end_reason, sum(u.calls)::int as calls, sum(u.answered)::int as answered, sum(u.failed)::int as failed,
      sum(u.talk_seconds)::bigint as talk_seconds, sum(u.cost_micros)::bigint as cost_micros,
      case when count(u.interruptions) = count(*) then sum(u.interruptions)::int end as interruptions
    from usage_quarters u join quarters q using (quarter_at)
    where u.account_id = $1 and u.mode = $2 and u.quarter_at >= $3 and u.quarter_at < $4
    group by 1, 2
  ), under_way as (
    select q.bucket, count(*)::int as calls, count(c.answered_at)::int as answered
    from calls c join quarters q on q.quarter_at = quarter_of(c.created_at)
    where c.account_id = $1 and c.mode = $2 and c.state <> 'ended' and c.created_at >= $3 and c.created_at < $4
    group by 1
  ), counted as (
    select * from ended
    union all
    select bucket, null, calls, answered, 0, 0, 0, 0 from under_way
  )
  select bucket, end_reason, coalesce(calls, 0) as calls, coalesce(answered, 0) as answered, coalesce(failed, 0) as failed,
    coalesce(talk_seconds, 0) as talk_seconds, coalesce(cost_micros, 0) as cost_micros,
    case when calls is null then 0 else interruptions end as interruptions
  from (select distinct bucket from quarters) buckets left join counted using (bucket)
  order by bucket`;

/** Oldest first; every bucket of the period has at least one row. */
export async function readUsageCalls(db: Database, period: UsagePeriod): Promise<CountedCalls[]> {
  return run<CountedCalls>(db, READ_CALLS, values(period));
}

const READ_REPLIES = `/* read_usage_replies */
  with ${QUARTERS}, by_bucket as (
    select q.bucket, u.bin, sum(u.replies) as replies
    from usage_replies u join quarters q using (quarter_at)
    where u.account_id = $1 and u.mode = $2 and u.quarter_at >= $3 and u.quarter_at < $4
    group by 1, 2
  ), counted as (
    select * from by_bucket
    union all
    select null, bin, sum(replies) from by_bucket group by bin
  ), ranked as (
    select bucket, bin, sum(replies) over (partition by bucket order by bin) as so_far,
      sum(replies) over (partition by bucket) as replies
    from counted
  )
  select bucket, max(replies)::int as replies, min(bin) filter (where so_far >= 0.5 * replies) as bin_p50,
    min(bin) filter (where so_far >= 0.95 * replies) as bin_p95
  from ranked group by bucket`;

/** Buckets without replies are omitted. */
export async function readUsageReplies(db: Database, period: UsagePeriod): Promise<CountedReplies[]> {
  return run<CountedReplies>(db, READ_REPLIES, values(period));
}

interface BreakdownPeriod extends Pick<UsagePeriod, "accountId" | "mode" | "from" | "to" | "timeZone"> {
  readonly by: UsageDimension;
  readonly agentId: string | null;
  readonly agentVersion: number | null;
  readonly engine: string | null;
}

/** Totals of ended calls of one group; of all groups together if `key` is null. */
export interface CountedEnds {
  readonly key: string | null;
  readonly calls: number;
  readonly answered: number;
  readonly failed: number;
  readonly talk_seconds: bigint;
  readonly cost_micros: bigint;
  readonly turns: number;
  readonly interruptions: number;
  readonly incidents: number;
  /** By bin, as one number: see the migration that added it. */
  readonly replies: string;
}

const KEY_OF: Readonly<Record<UsageDimension, string>> = {
  agent: "agent_id",
  version: "agent_version::text",
  engine: "engine",
  outcome: "outcome",
  hour: "to_char(hour_at at time zone $5, 'FMHH24')",
  day: "to_char(hour_at at time zone $5, 'YYYY-MM-DD')",
  key: "api_key_id",
};
const ORDER_OF: Partial<Record<UsageDimension, string>> = {
  hour: "key::int",
  day: "key desc",
  version: "key::int desc",
};

const SUMS = `coalesce(sum(calls), 0)::int as calls, coalesce(sum(answered), 0)::int as answered,
  coalesce(sum(failed), 0)::int as failed, coalesce(sum(talk_seconds), 0)::bigint as talk_seconds,
  coalesce(sum(cost_micros), 0)::bigint as cost_micros, coalesce(sum(turns), 0)::int as turns,
  coalesce(sum(interruptions), 0)::int as interruptions, coalesce(sum(incidents), 0)::int as incidents,
  coalesce(sum(replies), 0)::text as replies`;
const COUNTED_HOURS = `usage_hours
  where account_id = $1 and mode = $2 and hour_at >= $3 and hour_at < $4 and $5::text is not null
    and ($6::text is null or agent_id = $6) and ($7::int is null or agent_version = $7)
    and ($8::text is null or engine = $8)`;

const breakdownValues = ({ accountId, mode, from, to, timeZone, ...only }: BreakdownPeriod) => [
  accountId,
  mode,
  from,
  to,
  timeZone,
  only.agentId,
  only.agentVersion,
  only.engine,
];

/**
 * All calls of the period together, then its groups: hours, days and versions in order, otherwise those with the most
 * calls first. The first row also counts groups that are not listed.
 */
export async function readUsageBy(db: Database, period: BreakdownPeriod): Promise<CountedEnds[]> {
  const { by } = period;
  return run<CountedEnds>(
    db,
    `/* read_usage_by_${by} */ select * from (
       select key, ${SUMS} from (select ${KEY_OF[by]} as key, * from ${COUNTED_HOURS}) hours group by grouping sets ((key), ())
     ) counted
     order by key is not null, ${ORDER_OF[by] ?? "calls desc, key"} limit ${BREAKDOWN_ROWS_MAX + 1}`,
    breakdownValues(period),
  );
}

const BUCKET_OF: Readonly<Record<UsageGranularity, string>> = {
  day: "date_trunc('day', hour_at, $5)",
  hour: "hour_at",
};

/** The calls of a day or an hour. */
interface CountedBucket extends CountedEnds {
  readonly bucket: Date;
}

/** Oldest first: every bucket of the period for all calls together, and those with calls for the given groups. */
export async function readUsageBuckets(
  db: Database,
  period: BreakdownPeriod,
  granularity: UsageGranularity,
  keys: readonly string[],
): Promise<CountedBucket[]> {
  return run<CountedBucket>(
    db,
    `/* read_usage_buckets_by_${period.by}_per_${granularity} */
     with hours as (
       select hour_at, ${BUCKET_OF[granularity]} as bucket
       from generate_series($3::timestamptz, $4::timestamptz - interval '1 hour', interval '1 hour') as hour_at
     ), counted as (
       select ${KEY_OF[period.by]} as key, * from ${COUNTED_HOURS}
     )
     select bucket, key, calls, answered, failed, talk_seconds, cost_micros, turns, interruptions, incidents, replies from (
       select bucket, key, grouping(key) = 1 as is_total, ${SUMS}
       from hours left join counted using (hour_at) group by grouping sets ((bucket, key), (bucket))
     ) summed where is_total or key = any($9) order by bucket`,
    [...breakdownValues(period), keys],
  );
}
