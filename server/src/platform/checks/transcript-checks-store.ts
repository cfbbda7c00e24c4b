import { AS_OF, type InvariantCheck } from "./invariant-check.ts";

/** What must hold of what was said in calls, and of what is kept of it. */
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
        union select 'a transfer' from call_attempts a where a.call_id = c.id and a.party <> 'callee'
        union select 'the event ' || e.type from call_events e
          where e.call_id = c.id and e.type in ('call.answered_by', 'call.number_suppressed')
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
