-- A claim whose lane had only calls that another statement locks came back empty, and the worker took that for "nothing waits": calls of other
-- lanes waited for its next look, up to a second. Now the claim goes on to the next lane.
-- Each claim also read every lane that was put off, and every scheduled call of its lane: PostgreSQL searches no index for what is compared with a
-- volatile function. Nothing else differs.
create or replace function take_waiting_lane()
returns table (account_id text, mode text, free integer, calls_per_second double precision, wait_ms double precision)
language plpgsql as $$
#variable_conflict use_column
declare
  lane record;
  first_due timestamptz;
  skipped text[] := '{}';
  -- A variable, because an index is not searched for what is compared with a volatile function.
  moment timestamptz := clock_timestamp();
begin
  update waiting_lanes w set is_ready = true
  from (
    select t.account_id, t.mode from waiting_lanes t where not t.is_ready and greatest(t.due_at, t.blocked_until) <= moment
    order by greatest(t.due_at, t.blocked_until) limit 100
    for no key update skip locked
  ) due where w.account_id = due.account_id and w.mode = due.mode;
  loop
    select w.account_id, w.mode, l.concurrency_max - l.active_count as free, l.calls_per_second, l.next_send_at into lane
    from waiting_lanes w join dispatch_lanes l on l.account_id = w.account_id and l.mode = w.mode
    where w.is_ready and w.account_id || '/' || w.mode <> all (skipped)
    order by w.served_at limit 1
    for no key update of w, l skip locked;
    if not found then return; end if;
    -- Calls are claimed up to a second before they are sent.
    if lane.free <= 0 or lane.next_send_at > clock_timestamp() + interval '1 second' then
      update waiting_lanes w set is_ready = false,
        blocked_until = case when lane.free <= 0 then 'infinity' else lane.next_send_at - interval '1 second' end
      where w.account_id = lane.account_id and w.mode = lane.mode;
      continue;
    end if;
    first_due := first_due_call(lane.account_id, lane.mode);
    if first_due <= clock_timestamp() then
      update waiting_lanes w set served_at = clock_timestamp() where w.account_id = lane.account_id and w.mode = lane.mode;
      return query select lane.account_id, lane.mode, lane.free, lane.calls_per_second,
        (greatest(0, extract(epoch from greatest(lane.next_send_at, clock_timestamp()) - clock_timestamp())) * 1000)::float8;
      return;
    end if;
    -- Nothing is due. A request that is about to commit may be about to change that, and then holds the row against this lock.
    perform 1 from waiting_lanes w where w.account_id = lane.account_id and w.mode = lane.mode for update skip locked;
    if not found then
      skipped := skipped || (lane.account_id || '/' || lane.mode);
      continue;
    end if;
    first_due := first_due_call(lane.account_id, lane.mode);
    if first_due is not null then
      update waiting_lanes w set is_ready = first_due <= clock_timestamp(), due_at = first_due, blocked_until = '-infinity'
      where w.account_id = lane.account_id and w.mode = lane.mode;
    elsif exists (select 1 from calls c where c.account_id = lane.account_id and c.mode = lane.mode and c.state = 'queued') then
      -- Only calls that are about to expire.
      update waiting_lanes w set is_ready = false, due_at = clock_timestamp() + interval '1 minute'
      where w.account_id = lane.account_id and w.mode = lane.mode;
    else
      delete from waiting_lanes w where w.account_id = lane.account_id and w.mode = lane.mode;
    end if;
  end loop;
end $$;

create or replace function claim_waiting_calls(slots integer, claiming_worker text, run_id_start text, lease_seconds double precision)
returns table (call calls, send_in_ms double precision, available_micros bigint, is_suppressed boolean, has_more boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  lane record;
  calls_max integer;
  moment timestamptz;
begin
  -- Calls that another statement locks are left to a later look. They must not make the calls of other lanes wait, too.
  for look in 1..3 loop
    select * into lane from take_waiting_lane();
    if not found then return; end if;
    moment := clock_timestamp();
    -- Calls are claimed no further ahead than a second, so that a slow lane does not park calls in one worker.
    calls_max := least(slots, lane.free, greatest(1, floor(least(1e6, (1 - lane.wait_ms / 1000) * lane.calls_per_second)))::integer);
    return query
      with due as (
        select c.id from calls c
        where c.account_id = lane.account_id and c.mode = lane.mode and c.state = 'queued' and c.due_at <= moment
          -- Left to the job that expires it: claimed again and again it would never expire.
          and greatest(c.created_at, c.scheduled_at) >= moment - interval '24 hours'
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
    if found then return; end if;
  end loop;
end $$;
