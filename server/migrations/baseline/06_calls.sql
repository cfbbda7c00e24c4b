-- Calls, the runs that conduct them, what happened in them, and usage statistics.

-- One lane per account and mode: how many calls at once and how fast. A slot is counted from the claim to the transaction
-- that ends the call.
create table dispatch_lanes (
  account_id text not null references accounts,
  mode text not null check (mode in ('test', 'live')),
  concurrency_max integer not null default 20 check (concurrency_max >= 0),
  calls_per_second double precision not null default 2 check (calls_per_second > 0),
  queued_max integer not null default 10000 check (queued_max >= 0),
  active_count integer not null default 0 check (active_count >= 0),
  next_send_at timestamptz not null default '-infinity',
  last_served_at timestamptz not null default '-infinity',
  primary key (account_id, mode)
);
create function guard_lane() returns trigger language plpgsql as $$
begin
  if new.active_count > old.active_count and new.active_count > new.concurrency_max then
    raise exception 'lane %/% would exceed % calls at once', new.account_id, new.mode, new.concurrency_max
      using errcode = 'check_violation', constraint = 'lane_within_limit';
  end if;
  return new;
end $$;
create trigger lane_within_limit before update of active_count on dispatch_lanes
  for each row execute function guard_lane();

create table workers (
  id text primary key,
  internal_url text,
  slots_max integer not null,
  draining boolean not null default false,
  started_at timestamptz(3) not null default clock_timestamp(),
  seen_at timestamptz(3) not null default clock_timestamp()
);

-- Whether the database has been available to the workers without a gap. A lease that expired while none could be renewed
-- says nothing about its worker: no run is declared lost until the heartbeat has been steady for a while.
create table worker_pulse (
  is_only_row boolean primary key default true check (is_only_row),
  beat_at timestamptz not null default '-infinity',
  steady_since timestamptz not null default '-infinity'
);
insert into worker_pulse default values;

create table calls (
  id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('test', 'live')),
  api_key_id text references api_keys,
  member_id text references members on delete set null,

  -- What was requested.
  phone_number text not null,
  agent_id text not null references agents,
  agent_version integer not null,
  engine text not null,
  from_number text,
  variables jsonb not null default '{}',
  metadata jsonb not null default '{}',
  consent jsonb,
  simulation jsonb,
  -- What to do when a voicemail answers; null leaves it to the agent.
  voicemail jsonb,
  max_duration_seconds integer not null,
  ring_timeout_seconds integer not null,
  record boolean not null default true,
  calling_hours text not null default 'wait' check (calling_hours in ('wait', 'fail', 'ignore')),

  -- `status` is the public status, `state` the internal state of the call.
  status text not null default 'initiated' check (status in ('initiated', 'in_progress', 'completed', 'failed')),
  state text not null default 'queued' check (state in ('queued', 'claimed', 'dialing', 'ringing', 'talking', 'ended')),
  fence bigint not null default 0,
  version integer not null default 1,
  event_sequence integer not null default 0,

  created_at timestamptz(3) not null default clock_timestamp(),
  scheduled_at timestamptz(3),
  due_at timestamptz(3) not null default clock_timestamp(),
  -- When the call was counted by the gate and its credit was held: at once, or when its time came.
  admitted_at timestamptz(3),
  dialing_at timestamptz(3),
  answered_at timestamptz(3),
  ended_at timestamptz(3),
  hangup_requested_at timestamptz(3),

  -- How it went out and how it ended. `network` is `simulated` or the name of the trunk, null while that is not known.
  network text,
  duration_seconds integer,
  end_reason text,
  ended_by text,
  answered_by text,
  carrier jsonb,
  gate jsonb,
  -- Audio quality of the received side: estimated opinion score, loss, jitter.
  quality jsonb,

  -- What came of the conversation. `analysis` is null for calls that were not answered, and where it was erased.
  collected jsonb,
  latency jsonb,
  analysis jsonb,
  -- The state of the recording. The file is found by the call's id and day.
  recording jsonb,
  -- Failures of the service itself during the call, as the API shows them. Bounded: repeats are counted in one entry.
  incidents jsonb not null default '[]'
    constraint incidents_are_a_short_list check (jsonb_typeof(incidents) = 'array' and jsonb_array_length(incidents) <= 20),

  recording_erased_at timestamptz(3),
  transcript_erased_at timestamptz(3),
  -- Everything that can be erased was erased on request.
  data_erased_at timestamptz(3),

  -- Prices are fixed when the call is accepted. What is held grows during the conversation. A bridge is the second leg of
  -- a transferred call, charged from `bridged_after_seconds` on.
  route_per_minute_micros bigint not null default 0,
  engine_per_minute_micros bigint not null default 0,
  bridge_per_minute_micros bigint not null default 0 check (bridge_per_minute_micros >= 0),
  bridged_after_seconds integer check (bridged_after_seconds >= 0),
  -- A call that is not charged shows what it would have cost, and moves no credit.
  is_charged boolean not null default true,
  held_micros bigint not null default 0,
  held_on date,
  billed_seconds integer,
  cost_micros bigint,

  foreign key (agent_id, agent_version) references agent_versions (agent_id, version),
  constraint ended_means_final check ((state = 'ended') = (status in ('completed', 'failed'))),
  constraint ended_has_reason check (state <> 'ended' or (end_reason is not null and ended_at is not null)),
  constraint talking_is_in_progress check (state not in ('talking') or status = 'in_progress')
);

-- Lists of calls, newest first.
create index calls_newest on calls (account_id, mode, created_at desc, id desc);
create index calls_by_status on calls (account_id, mode, status, created_at desc, id desc);
create index calls_by_agent on calls (account_id, mode, agent_id, created_at desc, id desc);
create index calls_by_engine on calls (account_id, mode, engine, created_at desc, id desc);
create index calls_by_number on calls (account_id, mode, phone_number, created_at desc, id desc);
create index calls_by_end_reason on calls (account_id, mode, end_reason, created_at desc, id desc) where end_reason is not null;
-- Dispatch.
create index calls_waiting on calls (account_id, mode, due_at, id) where state = 'queued';
create index calls_waiting_by_age on calls (due_at) where state = 'queued';
-- A call that could not be dialed expires a day after it was requested, or after the time it was scheduled for.
create index calls_waiting_by_deadline on calls (greatest(created_at, scheduled_at)) where state = 'queued';
create index calls_unfinished on calls (account_id, mode, state) where state <> 'ended';
-- Recordings that are not finished, that are ready for a second transcription, and what retention erases.
create index calls_being_recorded on calls (ended_at) where recording->>'status' = 'recording';
create index calls_recorded on calls (ended_at, id) where recording->>'status' = 'ready';
create index calls_with_recording on calls (account_id, ended_at) where recording is not null and recording_erased_at is null;
create index calls_with_transcript on calls (account_id, ended_at) where answered_at is not null and transcript_erased_at is null;
-- Files are deleted after the fact by the process that has them.
create index calls_recording_erased on calls (recording_erased_at, id) where recording_erased_at is not null;

-- The allowed transitions. The end is final: a call can neither end twice nor be revived.
create function guard_call_state() returns trigger language plpgsql as $$
begin
  if old.state = 'ended' then
    raise exception 'call % has ended', old.id using errcode = 'integrity_constraint_violation', constraint = 'call_ends_once';
  end if;
  if not (
    (old.state = 'queued' and new.state in ('claimed', 'ended')) or
    (old.state = 'claimed' and new.state in ('queued', 'dialing', 'ended')) or
    (old.state = 'dialing' and new.state in ('ringing', 'talking', 'ended')) or
    (old.state = 'ringing' and new.state in ('talking', 'ended')) or
    (old.state = 'talking' and new.state = 'ended')
  ) then
    raise exception 'call % cannot go from % to %', old.id, old.state, new.state
      using errcode = 'integrity_constraint_violation', constraint = 'call_state_moves';
  end if;
  return new;
end $$;
create trigger call_state_moves before update of state on calls
  for each row execute function guard_call_state();

create function guard_call_end() returns trigger language plpgsql as $$
begin
  raise exception 'call % has ended', old.id using errcode = 'integrity_constraint_violation', constraint = 'call_ends_once';
end $$;
create trigger call_end_is_final before update of status, end_reason, ended_by, ended_at, cost_micros, duration_seconds on calls
  for each row when (old.state = 'ended') execute function guard_call_end();

-- A call that was not answered has no conversation.
create function guard_conversation() returns trigger language plpgsql as $$
begin
  raise exception 'call % was never answered and can have no conversation', new.id
    using errcode = 'check_violation', constraint = 'conversation_needs_answer';
end $$;
create trigger conversation_needs_answer before insert or update of collected, latency, answered_by on calls
  for each row when (new.answered_at is null and not (new.collected is null and new.latency is null and new.answered_by is null))
  execute function guard_conversation();

-- One worker's attempt at a call. The lease is by the database's clock only.
create table call_runs (
  id text primary key,
  call_id text not null references calls,
  fence bigint not null,
  worker_id text not null references workers,
  claimed_at timestamptz(3) not null default clock_timestamp(),
  renewed_at timestamptz(3) not null default clock_timestamp(),
  lease_expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  outcome text,
  unique (call_id, fence)
);
create index call_runs_live on call_runs (lease_expires_at) where ended_at is null;
create unique index one_live_run_per_call on call_runs (call_id) where ended_at is null;

-- Each dialing, written before anything is sent to the network.
create table call_attempts (
  call_id text not null references calls,
  ordinal integer not null,
  run_id text not null references call_runs,
  carrier text not null,
  dial_id text not null unique,
  -- The party that was dialed: the callee, or the person a callee is transferred to.
  party text not null default 'callee' check (party in ('callee', 'transfer')),
  -- Kept after the trunk is deleted. An attempt occupies a channel of its trunk from its insert until its end.
  trunk_id text,
  -- What another worker needs to end the leg.
  record jsonb,
  created_at timestamptz(3) not null default clock_timestamp(),
  ended_at timestamptz(3),
  cause text,
  code integer,
  reason text,
  primary key (call_id, ordinal)
);
create index call_attempts_on_trunks on call_attempts (trunk_id) where trunk_id is not null and ended_at is null;

create table call_events (
  call_id text not null references calls,
  sequence integer not null,
  type text not null,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (call_id, sequence)
);
create unique index one_final_event_per_call on call_events (call_id) where type in ('call.completed', 'call.failed');
create unique index one_analyzed_event_per_call on call_events (call_id) where type = 'call.analyzed';
create trigger call_events_append_only before update or delete on call_events
  for each row execute function refuse_change();

-- Usage by quarters of an hour, so that months can be shown without reading a single call. Every current time zone
-- differs from UTC by whole quarters, so any local day or hour is made of them.
create table usage_quarters (
  account_id text not null references accounts,
  mode text not null check (mode in ('test', 'live')),
  quarter_at timestamptz(3) not null,
  end_reason text not null,
  calls integer not null,
  answered integer not null,
  failed integer not null,
  talk_seconds bigint not null,
  cost_micros bigint not null,
  primary key (account_id, mode, quarter_at, end_reason)
);

-- How long callees waited for replies: how many replies took about 1.05 ^ bin milliseconds.
create table usage_replies (
  account_id text not null references accounts,
  mode text not null check (mode in ('test', 'live')),
  quarter_at timestamptz(3) not null,
  bin integer not null,
  replies integer not null,
  primary key (account_id, mode, quarter_at, bin)
);

create function quarter_of(moment timestamptz) returns timestamptz language sql immutable parallel safe as
  $$ select date_bin('15 minutes', moment, timestamptz '2000-01-01 00:00:00+00') $$;

create function reply_bin(ms numeric) returns integer language sql immutable parallel safe as
  $$ select round(ln(greatest(ms, 1)) / ln(1.05))::integer $$;

-- Runs when the transaction that ended the call commits, after everything else it locks: the rows that many calls share
-- are locked only for the length of a commit. The quarter comes before its bins and these in order, which excludes deadlocks.
create function count_ended_call() returns trigger language plpgsql as $$
begin
  insert into usage_quarters as u
  select c.account_id, c.mode, quarter_of(c.created_at), c.end_reason, 1, (c.answered_at is not null)::int,
    (c.status = 'failed')::int, coalesce(c.duration_seconds, 0), case when c.is_charged then coalesce(c.cost_micros, 0) else 0 end
  from calls c where c.id = new.id
  on conflict (account_id, mode, quarter_at, end_reason) do update set
    calls = u.calls + 1, answered = u.answered + excluded.answered, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, cost_micros = u.cost_micros + excluded.cost_micros;
  insert into usage_replies as u
  select new.account_id, new.mode, quarter_of(new.created_at), reply_bin((t.item->'timing'->>'totalMs')::numeric) as bin, count(*)
  from transcript_items t
  where t.call_id = new.id and t.type = 'speech' and t.item->'timing'->>'totalMs' is not null
  group by bin order by bin
  on conflict (account_id, mode, quarter_at, bin) do update set replies = u.replies + excluded.replies;
  return null;
end $$;
create constraint trigger calls_count_when_ended after update of state on calls
  deferrable initially deferred
  for each row when (new.state = 'ended' and old.state <> 'ended') execute function count_ended_call();
