-- Dispatch is driven by the lanes that have calls waiting, and costs the same however many accounts there are.

-- A row for each lane with queued calls, from the commit of the first of them until a worker finds the queue empty. The lanes that are
-- ready are served in turns. The others have nothing due, or are at their limit, and become ready when both moments have passed.
create table waiting_lanes (
  account_id text not null,
  mode text not null,
  is_ready boolean not null,
  -- No call of the lane is due before.
  due_at timestamptz not null,
  -- The lane's own limits admit no call before; infinity while it has as many calls as it may have.
  blocked_until timestamptz not null default '-infinity',
  served_at timestamptz not null,
  primary key (account_id, mode),
  foreign key (account_id, mode) references dispatch_lanes
) with (fillfactor = 50);
create index waiting_lanes_by_turn on waiting_lanes (served_at) where is_ready;
create index waiting_lanes_by_time on waiting_lanes (greatest(due_at, blocked_until)) where not is_ready;

-- How many calls of a lane are queued: the sum of its rows. Connections count in rows of their own, most of the time, so that requests of
-- one account do not wait for each other; a single row may therefore be negative.
create table queued_counts (
  account_id text not null,
  mode text not null,
  bucket smallint not null,
  calls integer not null,
  primary key (account_id, mode, bucket),
  foreign key (account_id, mode) references dispatch_lanes
) with (fillfactor = 50);

-- A restore copies all of this as it was. No other writer has to know of it.

-- Adds the lane of a queued call, or makes it due earlier. Requests lock the row against removal only, and so not against each other nor
-- against workers that claim. Whoever makes the lane due later, or removes it, must have waited for them and look again.
create function note_waiting_call() returns trigger language plpgsql as $$
declare known waiting_lanes;
begin
  loop
    select * into known from waiting_lanes w where w.account_id = new.account_id and w.mode = new.mode for key share;
    exit when found;
    insert into waiting_lanes (account_id, mode, is_ready, due_at, served_at)
    select new.account_id, new.mode, new.due_at <= clock_timestamp(), new.due_at, l.last_served_at
    from dispatch_lanes l where l.account_id = new.account_id and l.mode = new.mode
    on conflict do nothing;
    if found then return null; end if;
  end loop;
  if not known.is_ready and known.due_at > new.due_at then
    update waiting_lanes w set due_at = new.due_at
    where w.account_id = new.account_id and w.mode = new.mode and w.due_at > new.due_at;
  end if;
  return null;
end $$;
create trigger calls_join_their_lane_new after insert on calls
  for each row when (new.state = 'queued' and current_setting('parley.restoring', true) is distinct from 'on') execute function note_waiting_call();
create trigger calls_join_their_lane_again after update of state, due_at on calls
  for each row when (new.state = 'queued' and (old.state <> 'queued' or new.due_at < old.due_at)) execute function note_waiting_call();

-- Runs at the commit, like the counters of usage: rows that others need are locked as late and as briefly as can be.
create function count_queued_call() returns trigger language plpgsql as $$
begin
  insert into queued_counts as q (account_id, mode, bucket, calls)
  values (new.account_id, new.mode, pg_backend_pid() % 16, case when tg_argv[0] = 'joined' then 1 else -1 end)
  on conflict (account_id, mode, bucket) do update set calls = q.calls + excluded.calls;
  return null;
end $$;
create constraint trigger calls_count_when_queued after insert on calls deferrable initially deferred
  for each row when (new.state = 'queued' and current_setting('parley.restoring', true) is distinct from 'on') execute function count_queued_call('joined');
create constraint trigger calls_count_when_queued_again after update of state on calls deferrable initially deferred
  for each row when (new.state = 'queued' and old.state <> 'queued') execute function count_queued_call('joined');
create constraint trigger calls_count_when_taken after update of state on calls deferrable initially deferred
  for each row when (new.state <> 'queued' and old.state = 'queued') execute function count_queued_call('left');

-- A lane that has room again is looked at again.
create function unblock_lane() returns trigger language plpgsql as $$
begin
  update waiting_lanes w set blocked_until = '-infinity'
  where w.account_id = new.account_id and w.mode = new.mode and w.blocked_until > '-infinity'
    and (w.blocked_until = 'infinity' or new.calls_per_second <> old.calls_per_second or new.next_send_at < old.next_send_at);
  return null;
end $$;
create trigger lanes_are_unblocked after update of active_count, concurrency_max, calls_per_second, next_send_at on dispatch_lanes
  for each row when (
    new.active_count < old.active_count or new.concurrency_max > old.concurrency_max
    or new.calls_per_second <> old.calls_per_second or new.next_send_at < old.next_send_at
  ) execute function unblock_lane();

-- When the first of the queued calls of a lane is due. A call that could not be dialed for a day is left to the job that expires it.
create function first_due_call(owner_id text, call_mode text) returns timestamptz language sql as $$
  select due_at from calls
  where account_id = owner_id and mode = call_mode and state = 'queued'
    and greatest(created_at, scheduled_at) >= clock_timestamp() - interval '24 hours'
  order by due_at limit 1
$$;

-- Locks a lane that has a call due and room for it, and returns it; or nothing. Lanes that have neither are put off on the way, or removed.
-- No lock is waited for: what others have locked is left to them, or to the next time.
create function take_waiting_lane() returns table (
  account_id text, mode text, free integer, calls_per_second double precision, wait_ms double precision
) language plpgsql as $$
#variable_conflict use_column
declare
  lane record;
  first_due timestamptz;
  skipped text[] := '{}';
begin
  update waiting_lanes w set is_ready = true
  from (
    select t.account_id, t.mode from waiting_lanes t where not t.is_ready and greatest(t.due_at, t.blocked_until) <= clock_timestamp()
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

-- What waits already.
lock table calls in share row exclusive mode;
insert into waiting_lanes (account_id, mode, is_ready, due_at, served_at)
  select l.account_id, l.mode, true, min(c.due_at), l.last_served_at
  from calls c join dispatch_lanes l on l.account_id = c.account_id and l.mode = c.mode
  where c.state = 'queued' group by l.account_id, l.mode;
insert into queued_counts (account_id, mode, bucket, calls)
  select account_id, mode, 0, count(*) from calls where state = 'queued' group by account_id, mode;
