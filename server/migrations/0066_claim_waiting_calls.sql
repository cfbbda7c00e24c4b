-- A claim is one statement, so that it takes one round trip: it takes a lane, starts runs for its calls, counts them and advances the lane's
-- send time. With each call comes what the gate decides on, as it was at the claim, and whether another claim may find more.
create function claim_waiting_calls(slots integer, claiming_worker text, run_id_start text, lease_seconds double precision)
returns table (call calls, send_in_ms double precision, available_micros bigint, is_suppressed boolean, has_more boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  lane record;
  calls_max integer;
begin
  select * into lane from take_waiting_lane();
  if not found then return; end if;
  -- Calls are claimed no further ahead than a second, so that a slow lane does not park calls in one worker.
  calls_max := least(slots, lane.free, greatest(1, floor(least(1e6, (1 - lane.wait_ms / 1000) * lane.calls_per_second)))::integer);
  return query
    with due as (
      select c.id from calls c
      where c.account_id = lane.account_id and c.mode = lane.mode and c.state = 'queued' and c.due_at <= clock_timestamp()
        -- Left to the job that expires it: claimed again and again it would never expire.
        and greatest(c.created_at, c.scheduled_at) >= clock_timestamp() - interval '24 hours'
      order by c.due_at, c.id limit calls_max
      for update skip locked
    ), claimed as (
      update calls c set state = 'claimed', fence = c.fence + 1, version = c.version + 1
      from due where c.id = due.id returning c as call
    ), begun as (
      insert into call_runs (id, call_id, fence, worker_id, lease_expires_at)
      select run_id_start || right(replace(gen_random_uuid()::text, '-', ''), 16), (k.call).id, (k.call).fence, claiming_worker,
        statement_timestamp() + make_interval(secs => lease_seconds)
      from claimed k
    ), charged as (
      update dispatch_lanes l set active_count = l.active_count + counted.calls, last_served_at = clock_timestamp(),
        next_send_at = greatest(l.next_send_at, clock_timestamp()) + make_interval(secs => counted.calls / l.calls_per_second)
      from (select count(*)::integer as calls from claimed) counted
      where l.account_id = lane.account_id and l.mode = lane.mode and counted.calls > 0
    )
    select k.call, lane.wait_ms + (row_number() over (order by (k.call).due_at, (k.call).id) - 1) * 1000 / lane.calls_per_second,
      (select b.available_micros from account_balances b where b.account_id = lane.account_id),
      exists (select from suppressions s where s.account_id = lane.account_id and s.phone_number = (k.call).phone_number),
      count(*) over () = calls_max
        or exists (select from waiting_lanes w where w.is_ready and (w.account_id, w.mode) <> (lane.account_id, lane.mode))
    from claimed k;
end $$;
