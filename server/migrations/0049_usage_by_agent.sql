-- Totals of ended calls by hour and by what calls differ in.
create table usage_hours (
  account_id text not null references accounts on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  hour_at timestamptz not null,
  agent_id text not null,
  agent_version integer not null,
  engine text not null,
  -- Empty for calls that a member placed.
  api_key_id text not null,
  -- What the analysis found; otherwise how the call ended.
  outcome text not null,
  calls integer not null,
  answered integer not null,
  failed integer not null,
  talk_seconds bigint not null,
  cost_micros bigint not null,
  turns integer not null,
  interruptions integer not null,
  incidents integer not null,
  primary key (account_id, mode, hour_at, agent_id, agent_version, engine, api_key_id, outcome)
);

create function count_call_by_agent(call_id text) returns void language sql as $$
  insert into usage_hours as u
  select c.account_id, c.mode, date_trunc('hour', c.created_at, 'utc'), c.agent_id, greatest(c.agent_version, 0), c.engine,
    coalesce(c.api_key_id, ''), left(coalesce(c.analysis->>'outcome', c.end_reason), 64),
    1, (c.answered_at is not null)::int, (c.status = 'failed')::int, coalesce(c.duration_seconds, 0), coalesce(c.cost_micros, 0),
    coalesce((c.latency->>'turns')::int, 0), coalesce((c.latency->>'interruptions')::int, 0), jsonb_array_length(c.incidents)
  from calls c where c.id = call_id and c.state = 'ended'
  on conflict (account_id, mode, hour_at, agent_id, agent_version, engine, api_key_id, outcome) do update set
    calls = u.calls + excluded.calls, answered = u.answered + excluded.answered, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, cost_micros = u.cost_micros + excluded.cost_micros,
    turns = u.turns + excluded.turns, interruptions = u.interruptions + excluded.interruptions,
    incidents = u.incidents + excluded.incidents
$$;

-- The row is read when the transaction ends, because the analysis may be written after the end of the call.
create function count_ended_call_by_agent() returns trigger language plpgsql as $$
begin
  perform count_call_by_agent(new.id);
  return null;
end $$;

create constraint trigger calls_count_by_agent_when_ended after update of state on calls
  deferrable initially deferred for each row when (new.state = 'ended' and old.state <> 'ended')
  execute function count_ended_call_by_agent();

insert into usage_hours
select c.account_id, c.mode, date_trunc('hour', c.created_at, 'utc'), c.agent_id, greatest(c.agent_version, 0), c.engine,
  coalesce(c.api_key_id, ''), left(coalesce(c.analysis->>'outcome', c.end_reason), 64),
  count(*), count(c.answered_at), count(*) filter (where c.status = 'failed'), coalesce(sum(c.duration_seconds), 0),
  coalesce(sum(c.cost_micros), 0), coalesce(sum((c.latency->>'turns')::int), 0),
  coalesce(sum((c.latency->>'interruptions')::int), 0), sum(jsonb_array_length(c.incidents))
from calls c where c.state = 'ended' group by 1, 2, 3, 4, 5, 6, 7, 8;
