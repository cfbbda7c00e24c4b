-- Response times of everything that calls are counted by, and interruptions over time. Null where interruptions were not counted.
create temporary table interruptions_so_far on commit drop as
select account_id, mode, quarter_of(created_at) as quarter_at, end_reason, count(*) as calls,
  coalesce(sum((latency->>'interruptions')::int), 0) as interruptions
from calls where state = 'ended' group by 1, 2, 3, 4;

alter table usage_quarters add column interruptions integer;
-- How many replies took about 1.05 ^ bin milliseconds, as in usage_replies, for all bins in one number: those of a bin are its digits
-- from 10 ^ (12 * bin) on. So histograms are added by adding numbers. Calls that ended before have none, because reading all transcripts
-- takes too long for a migration.
alter table usage_hours add column replies numeric not null default 0;

-- Calls that ended in between, and calls that were removed, leave a quarter that cannot be counted any more.
update usage_quarters u set interruptions = s.interruptions
from interruptions_so_far s
where (u.account_id, u.mode, u.quarter_at, u.end_reason) = (s.account_id, s.mode, s.quarter_at, s.end_reason) and u.calls = s.calls;
update usage_quarters set interruptions = 0 where interruptions is null and answered = 0;

create or replace function count_ended_call() returns trigger language plpgsql as $$
begin
  insert into usage_quarters as u
  select c.account_id, c.mode, quarter_of(c.created_at), c.end_reason, 1, (c.answered_at is not null)::int,
    (c.status = 'failed')::int, coalesce(c.duration_seconds, 0), case when c.is_charged then coalesce(c.cost_micros, 0) else 0 end,
    coalesce((c.latency->>'interruptions')::int, 0)
  from calls c where c.id = new.id
  on conflict (account_id, mode, quarter_at, end_reason) do update set
    calls = u.calls + 1, answered = u.answered + excluded.answered, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, cost_micros = u.cost_micros + excluded.cost_micros,
    -- What is not known stays so.
    interruptions = u.interruptions + excluded.interruptions;
  insert into usage_replies as u
  select new.account_id, new.mode, quarter_of(new.created_at), reply_bin((t.item->'timing'->>'totalMs')::numeric) as bin, count(*)
  from transcript_items t
  where t.call_id = new.id and t.type = 'speech' and t.item->'timing'->>'totalMs' is not null
  group by bin order by bin
  on conflict (account_id, mode, quarter_at, bin) do update set replies = u.replies + excluded.replies;
  return null;
end $$;

create or replace function count_call_by_agent(call_id text) returns void language sql as $$
  insert into usage_hours as u
  select c.account_id, c.mode, date_trunc('hour', c.created_at, 'utc'), c.agent_id, greatest(c.agent_version, 0), c.engine,
    coalesce(c.api_key_id, ''), left(coalesce(c.analysis->>'outcome', c.end_reason), 64),
    1, (c.answered_at is not null)::int, (c.status = 'failed')::int, coalesce(c.duration_seconds, 0), coalesce(c.cost_micros, 0),
    coalesce((c.latency->>'turns')::int, 0), coalesce((c.latency->>'interruptions')::int, 0), jsonb_array_length(c.incidents),
    (
      select coalesce(sum(('1' || repeat('0', 12 * reply_bin((t.item->'timing'->>'totalMs')::numeric)))::numeric), 0)
      from transcript_items t
      where t.call_id = c.id and t.type = 'speech' and t.item->'timing'->>'totalMs' is not null
    )
  from calls c where c.id = count_call_by_agent.call_id and c.state = 'ended'
  on conflict (account_id, mode, hour_at, agent_id, agent_version, engine, api_key_id, outcome) do update set
    calls = u.calls + excluded.calls, answered = u.answered + excluded.answered, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, cost_micros = u.cost_micros + excluded.cost_micros,
    turns = u.turns + excluded.turns, interruptions = u.interruptions + excluded.interruptions,
    incidents = u.incidents + excluded.incidents, replies = u.replies + excluded.replies
$$;
