import { AS_OF, type InvariantCheck } from "./invariant-check.ts";

/** A little less than they are: whatever removes them does not run at the very moment. */
const REPORTS_KEPT_DAYS = 89;
const FINAL = "('call.completed', 'call.failed')";

/** What must hold of the events of calls and of what is reported about them. */
export const EVENT_CHECKS: readonly InvariantCheck[] = [
  {
    name: "events_have_no_gaps",
    promise: "The events of a call are numbered from 1 without a gap, up to the number the call knows.",
    sql: `
      select c.id as subject, 'knows ' || c.event_sequence || ' events; there are ' || count(e.sequence) ||
        ', numbered ' || coalesce(min(e.sequence), 0) || ' to ' || coalesce(max(e.sequence), 0) as detail
      from calls c left join call_events e on e.call_id = c.id
      group by c.account_id, c.id
      having count(e.sequence) <> c.event_sequence or coalesce(max(e.sequence), 0) <> c.event_sequence
        or coalesce(min(e.sequence), 1) <> 1`,
  },
  {
    name: "one_final_event_per_ended_call",
    promise: "An ended call has exactly one final event, which says its status; any other call has none.",
    sql: finalRows("call_events", "events"),
  },
  {
    name: "one_analysis_per_answered_call",
    promise:
      "An analyzed call was answered and has exactly one event that says it was analyzed; an unanswered one has none.",
    sql: `
      select c.id as subject, 'is ' || c.state || case when c.answered_at is null then ', was not answered' else '' end ||
        ' and has ' || count(e.call_id) || ' such events' as detail
      from calls c left join call_events e on e.call_id = c.id and e.type = 'call.analyzed'
      group by c.account_id, c.id
      having (c.analysis is not null and count(e.call_id) <> 1) or (c.answered_at is null and (count(e.call_id) > 0 or c.analysis is not null))`,
  },
  {
    name: "one_final_report_per_ended_call",
    promise:
      "An ended call has exactly one final report to webhooks, which says its status, for as long as reports are kept; any other call has none.",
    sql: `${finalRows("outbox", "reports")} and (
        count(f.type) > 0 or coalesce(c.ended_at > ${AS_OF} - interval '${REPORTS_KEPT_DAYS} days', true)
      )`,
  },
  {
    name: "reports_match_events",
    promise: "Each report about a call stands for an event of that call.",
    sql: `
      select o.id as subject, 'reports ' || o.type || ' number ' || coalesce(o.sequence::text, 'none') || ' of ' || o.call_id ||
        ', which did not happen' as detail
      from outbox o
      where o.call_id is not null and not exists (
        select 1 from call_events e where e.call_id = o.call_id and e.sequence = o.sequence and e.type = o.type
      )`,
  },
];

function finalRows(table: string, noun: string): string {
  return `
      select c.id as subject, 'is ' || c.state || ' (' || c.status || ') with final ${noun}: ' ||
        coalesce(string_agg(f.type, ', '), 'none') as detail
      from calls c left join ${table} f on f.call_id = c.id and f.type in ${FINAL}
      group by c.account_id, c.id
      having (count(f.type) <> (c.state = 'ended')::int or max(f.type) <> 'call.' || c.status)`;
}

/** What must hold of events on their way to endpoints. */
export const WEBHOOK_CHECKS: readonly InvariantCheck[] = [
  {
    name: "deliveries_stay_in_their_account",
    promise: "An event is on its way only to endpoints of the account and mode it happened in.",
    sql: `
      select d.id as subject, 'takes ' || d.event_id || ' to ' || d.endpoint_id || ' of another account or mode' as detail
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id left join outbox o on o.id = d.event_id
      where o.account_id is distinct from e.account_id or o.mode is distinct from e.mode`,
  },
  {
    name: "attempts_are_counted",
    promise: "A delivery counts exactly the attempts that were written down, for as long as attempts are kept.",
    sql: `
      select d.id as subject, 'counts ' || d.attempt_count || ' attempts; there are ' || count(a.fence) as detail
      from webhook_deliveries d left join webhook_attempts a on a.delivery_id = d.id
      where d.created_at > ${AS_OF} - interval '${REPORTS_KEPT_DAYS} days'
      group by d.id, d.attempt_count
      having count(a.fence) <> d.attempt_count`,
  },
  {
    name: "delivered_means_accepted",
    promise: "What is noted as delivered was accepted by an attempt, for as long as attempts are kept.",
    sql: `
      select d.id as subject, 'is delivered, but no attempt succeeded' as detail
      from webhook_deliveries d
      where d.status = 'delivered' and d.created_at > ${AS_OF} - interval '${REPORTS_KEPT_DAYS} days'
        and not exists (select 1 from webhook_attempts a where a.delivery_id = d.id and a.is_success)`,
  },
];

/** The invariants of transcripts and of the data derived from them. */
export const TRANSCRIPT_CHECKS: readonly InvariantCheck[] = [
  {
    name: "transcripts_are_in_order",
    promise: "Every item of a transcript says the time it is sorted by, and begins before it ends.",
    sql: `
      select i.call_id || '/' || i.ordinal as subject, case
        when (i.item->>'startMs')::int is distinct from i.start_ms then 'is sorted by ' || i.start_ms || ' and says ' || coalesce(i.item->>'startMs', 'nothing')
        when i.item->>'type' is distinct from i.type then 'is kept as ' || i.type || ' and says ' || coalesce(i.item->>'type', 'nothing')
        else 'runs from ' || i.start_ms || ' to ' || coalesce(i.item->>'endMs', 'nowhere') end as detail
      from transcript_items i
      where i.start_ms < 0 or (i.item->>'startMs')::int is distinct from i.start_ms
        or i.item->>'type' is distinct from i.type
        or (i.type = 'speech' and coalesce((i.item->>'endMs')::int, -1) < i.start_ms)`,
  },
  {
    name: "nothing_before_the_answer",
    promise:
      "A call that was never answered has no transcript, no path, no collected value, no tool call and no transfer.",
    sql: `
      select c.id as subject, 'was never answered, and has ' || done.what as detail
      from calls c cross join lateral (
        select 'a ' || i.type || ' item in its transcript' as what from transcript_items i where i.call_id = c.id
        union select 'collected values' where c.collected is not null
        union select 'reply times' where c.latency is not null
        union select 'an answer by ' || c.answered_by where c.answered_by is not null
        union select 'a language of the callee' where c.callee_language is not null
        union select 'a transfer' from call_attempts a where a.call_id = c.id and a.party <> 'callee'
        union select 'the event ' || e.type from call_events e
          where e.call_id = c.id and e.type in ('call.answered_by', 'call.language_noticed', 'call.number_suppressed')
      ) as done
      where c.answered_at is null`,
  },
  {
    name: "erased_means_gone",
    promise: "Of a transcript or a recording that was erased nothing is left in the database.",
    sql: `
      select c.id as subject, 'was erased, and ' || remains.what || ' is left' as detail
      from calls c cross join lateral (
        select 'what was said' as what from transcript_items i where i.call_id = c.id and c.transcript_erased_at is not null
        union select 'its words' from transcript_words w where w.call_id = c.id and c.transcript_erased_at is not null
        union select 'its drawing' from recording_peaks p where p.call_id = c.id and c.recording_erased_at is not null
      ) as remains
      where c.transcript_erased_at is not null or c.recording_erased_at is not null`,
  },
  {
    // Mending what a dead worker left takes seconds, and an upload to a store that is away has its own patience.
    name: "recordings_are_finished",
    promise: "No call is said to be recorded an hour after it has ended.",
    sql: `
      select id as subject, 'ended ' || ceil(extract(epoch from ${AS_OF} - ended_at) / 3600) || ' hours ago and is still being recorded' as detail
      from calls where recording->>'status' = 'recording' and ended_at < ${AS_OF} - interval '1 hour'`,
  },
];

const TABLES = ["call_events", "recording_peaks", "transcript_items", "transcript_revisions"] as const;

/** The invariants of the tables that are split by month. */
export const MONTH_CHECKS: readonly InvariantCheck[] = [
  {
    name: "rows_are_in_a_month",
    promise: "Every row of a table that is split by month is in the partition of a month.",
    sql: TABLES.map(
      (table) => `
      select call_id as subject, 'has ' || count(*) || ' rows of ${table} that are in no month' as detail
      from ${table}_default group by call_id`,
    ).join(" union all "),
  },
  {
    // What removed calls left in a month that leaves as a whole belongs to no call any more.
    name: "rows_belong_to_calls",
    promise:
      "Events, transcripts and drawings belong to a call that exists, unless their month is about to be dropped.",
    sql: TABLES.map(
      (table) => `
      select r.call_id as subject, 'does not exist and has ' || count(*) || ' rows of ${table}' as detail
      from ${table} r
      where not exists (select 1 from calls c where c.id = r.call_id)
        and not exists (select 1 from leaving_months m where r.call_id >= m.lower_id and r.call_id < m.upper_id)
      group by r.call_id`,
    ).join(" union all "),
  },
];
