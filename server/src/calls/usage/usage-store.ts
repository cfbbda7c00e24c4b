import type { EndReason } from "@parley/contract/calls";
import type { Mode } from "@parley/contract/shared-fields";
import type { UsageGranularity } from "@parley/contract/usage";
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
      sum(u.talk_seconds)::bigint as talk_seconds, sum(u.cost_micros)::bigint as cost_micros
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
    select bucket, null, calls, answered, 0, 0, 0 from under_way
  )
  select bucket, end_reason, coalesce(calls, 0) as calls, coalesce(answered, 0) as answered, coalesce(failed, 0) as failed,
    coalesce(talk_seconds, 0) as talk_seconds, coalesce(cost_micros, 0) as cost_micros
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
