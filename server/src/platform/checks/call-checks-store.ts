import { AS_OF, type InvariantCheck } from "./invariant-check.ts";

/** The states in which a worker holds the call and a slot of its lane is taken. */
const LIVE = "('claimed', 'dialing', 'ringing', 'talking')";

/** What must hold of calls, of the runs that conduct them and of the lanes they go through. */
export const CALL_CHECKS: readonly InvariantCheck[] = [
  {
    name: "live_calls_have_a_run",
    promise: "Every call has ended, waits, or is held by a run whose lease is live or has only just expired.",
    sql: `
      select c.id as subject, 'is ' || c.state || case when r.id is null then ' without a run'
        else ', and its lease expired at ' || to_char(r.lease_expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end as detail
      from calls c
      left join call_runs r on r.call_id = c.id and r.fence = c.fence and r.ended_at is null
      where c.state in ${LIVE} and (r.id is null or r.lease_expires_at < ${AS_OF} - interval '60 seconds')`,
  },
  {
    name: "open_runs_have_a_live_call",
    promise: "A run that has not ended holds a live call.",
    sql: `
      select r.id as subject, 'is open, but call ' || c.id || ' is ' || c.state || ' with fence ' || c.fence as detail
      from call_runs r join calls c on c.id = r.call_id
      where r.ended_at is null and (c.state not in ${LIVE} or c.fence <> r.fence)`,
  },
  {
    name: "calls_end_in_time",
    promise: "No call outlives ring timeout, longest duration and a minute, counted from dialing.",
    sql: `
      select id as subject, 'is ' || state || ' and should have ended ' ||
        ceil(extract(epoch from ${AS_OF} - dialing_at) - ring_timeout_seconds - max_duration_seconds) || ' s ago' as detail
      from calls
      where state <> 'ended'
        and dialing_at + make_interval(secs => ring_timeout_seconds + max_duration_seconds + 60) < ${AS_OF}`,
  },
  {
    // Expired calls are failed by a job in batches, which gets an hour for a full queue.
    name: "waiting_calls_expire",
    promise: "No call waits longer than a day after it was asked for, or after the time it was scheduled for.",
    sql: `
      select id as subject, 'has waited ' ||
        ceil(extract(epoch from ${AS_OF} - greatest(created_at, scheduled_at)) / 3600) || ' hours' as detail
      from calls where state = 'queued' and greatest(created_at, scheduled_at) < ${AS_OF} - interval '25 hours'`,
  },
  {
    name: "dialed_calls_were_admitted",
    promise: "No call is dialed before the gate has let it through.",
    sql: `
      select id as subject, 'is ' || state || ' and was never admitted' as detail
      from calls where state in ('dialing', 'ringing', 'talking') and admitted_at is null`,
  },
  {
    name: "lanes_count_live_calls",
    promise: "Each lane counts exactly the calls that are claimed, dialing, ringing or talking.",
    sql: `
      with live as (
        select account_id, mode, count(*) as n from calls where state in ${LIVE} group by account_id, mode
      )
      select coalesce(l.account_id, live.account_id) || '/' || coalesce(l.mode, live.mode) as subject,
        coalesce('counts ' || l.active_count, 'has no lane') || ', and ' || coalesce(live.n, 0) || ' calls are live' as detail
      from dispatch_lanes l full join live on live.account_id = l.account_id and live.mode = l.mode
      where coalesce(l.active_count, -1) <> coalesce(live.n, 0)`,
  },
  {
    name: "lanes_count_queued_calls",
    promise: "Each lane counts exactly the calls that are queued.",
    sql: `
      with queued as (
        select account_id, mode, count(*) as n from calls where state = 'queued' group by account_id, mode
      ), counted as (
        select account_id, mode, sum(calls) as n from queued_counts group by account_id, mode
      )
      select coalesce(c.account_id, q.account_id) || '/' || coalesce(c.mode, q.mode) as subject,
        'counts ' || coalesce(c.n, 0) || ', and ' || coalesce(q.n, 0) || ' calls are queued' as detail
      from counted c full join queued q on q.account_id = c.account_id and q.mode = c.mode
      where coalesce(c.n, 0) <> coalesce(q.n, 0)`,
  },
  {
    name: "waiting_calls_are_looked_at",
    promise: "A call that is queued is looked at by the workers no later than when it is due.",
    sql: `
      select c.id as subject, case when w.account_id is null then 'is queued, and its lane is not among those that wait'
        else 'is due at ' || c.due_at || ', and its lane at ' || w.due_at end as detail
      from calls c left join waiting_lanes w on w.account_id = c.account_id and w.mode = c.mode
      where c.state = 'queued' and (w.account_id is null or (not w.is_ready and w.due_at > c.due_at))
        and greatest(c.created_at, c.scheduled_at) > ${AS_OF} - interval '24 hours'`,
  },
  {
    name: "blocked_lanes_are_full",
    promise: "A lane is put off until a slot is free only while it has as many calls as it may have.",
    sql: `
      select w.account_id || '/' || w.mode as subject, 'waits for a slot, and has ' || l.active_count || ' of ' || l.concurrency_max as detail
      from waiting_lanes w join dispatch_lanes l on l.account_id = w.account_id and l.mode = w.mode
      where not w.is_ready and w.blocked_until = 'infinity' and l.active_count < l.concurrency_max`,
  },
  {
    // Only a carrier with trunks may try another route, and only after the previous attempt has ended without ringing.
    name: "dialed_at_most_once",
    promise:
      "A call was dialed by one run only, never without being written down first, and on another trunk only after the one before had ended.",
    sql: `
      with tries as (
        select a.*, lag(a.ended_at) over (partition by a.call_id order by a.ordinal) as before_ended_at from call_attempts a
        where a.party = 'callee'
      )
      select c.id as subject, 'has ' || count(a.call_id) || ' attempts by ' || count(distinct a.run_id) || ' runs and was ' ||
        case when c.dialing_at is null then 'never ' else '' end || 'dialed' as detail
      from calls c left join tries a on a.call_id = c.id
      group by c.account_id, c.id
      having (c.dialing_at is null) <> (count(a.call_id) = 0) or count(distinct a.run_id) > 1
        or count(*) filter (where a.ordinal > 1 and (a.trunk_id is null or a.before_ended_at is null or a.before_ended_at > a.created_at)) > 0`,
  },
  {
    name: "trunks_count_open_attempts",
    promise: "Each trunk counts exactly the attempts on it that have not ended.",
    sql: `
      with open as (select trunk_id, count(*) as n from call_attempts where trunk_id is not null and ended_at is null group by trunk_id)
      select t.trunk_id as subject, 'counts ' || t.active_count || ', and ' || coalesce(o.n, 0) || ' attempts are open' as detail
      from trunk_channels t left join open o on o.trunk_id = t.trunk_id
      where t.active_count <> coalesce(o.n, 0)`,
  },
  {
    name: "repeated_requests_find_their_call",
    promise: "What an Idempotency-Key remembers of a call is about a call of that account that exists.",
    sql: `
      select i.idempotency_key as subject, 'remembers ' || i.call_id || ', which account ' || i.account_id || ' does not have' as detail
      from (
        select account_id, idempotency_key, body::jsonb #>> '{data,id}' as call_id from idempotency_records
      ) i
      where i.call_id like 'call\\_%'
        and not exists (select 1 from calls c where c.id = i.call_id and c.account_id = i.account_id)`,
  },
];
