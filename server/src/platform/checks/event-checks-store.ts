import { AS_OF, type InvariantCheck } from "./invariant-check.ts";

/** A little less than they are: whatever removes them does not run at the very moment. */
export const REPORTS_KEPT_DAYS = 89;
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
      group by c.id
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
      group by c.id
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
      group by c.id
      having (count(f.type) <> (c.state = 'ended')::int or max(f.type) <> 'call.' || c.status)`;
}
