-- Calls, the runs that conduct them, and what happened.

-- One lane per account and mode: how fast and how many at once. A slot is counted from claim to the end transaction.
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

create table calls (
  id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('test', 'live')),
  api_key_id text references api_keys,
  member_id text references members on delete set null,

  phone_number text not null,
  agent_id text not null references agents,
  agent_version integer not null,
  engine text not null,
  from_number text,
  variables jsonb not null default '{}',
  metadata jsonb not null default '{}',
  consent jsonb,
  simulation jsonb,
  max_duration_seconds integer not null,
  ring_timeout_seconds integer not null,
  record boolean not null default true,

  -- The four given statuses outside, the call's own life inside.
  status text not null default 'initiated' check (status in ('initiated', 'in_progress', 'completed', 'failed')),
  state text not null default 'queued' check (state in ('queued', 'claimed', 'dialing', 'ringing', 'talking', 'ended')),
  fence bigint not null default 0,
  version integer not null default 1,
  event_sequence integer not null default 0,

  created_at timestamptz(3) not null default clock_timestamp(),
  scheduled_at timestamptz(3),
  due_at timestamptz(3) not null default clock_timestamp(),
  dialing_at timestamptz(3),
  answered_at timestamptz(3),
  ended_at timestamptz(3),
  hangup_requested_at timestamptz(3),

  duration_seconds integer,
  end_reason text,
  ended_by text,
  answered_by text,
  carrier jsonb,
  gate jsonb,

  -- Prices are fixed when the call is accepted. What is held grows while the callee talks.
  route_per_minute_micros bigint not null default 0,
  engine_per_minute_micros bigint not null default 0,
  held_micros bigint not null default 0,
  held_on date,
  billed_seconds integer,
  cost_micros bigint,

  foreign key (agent_id, agent_version) references agent_versions (agent_id, version),
  constraint ended_means_final check ((state = 'ended') = (status in ('completed', 'failed'))),
  constraint ended_has_reason check (state <> 'ended' or (end_reason is not null and ended_at is not null)),
  constraint talking_is_in_progress check (state not in ('talking') or status = 'in_progress')
);
create index calls_newest on calls (account_id, mode, created_at desc, id desc);
create index calls_by_status on calls (account_id, mode, status, created_at desc, id desc);
create index calls_by_agent on calls (account_id, mode, agent_id, created_at desc, id desc);
create index calls_by_engine on calls (account_id, mode, engine, created_at desc, id desc);
create index calls_by_number on calls (account_id, mode, phone_number, created_at desc, id desc);
create index calls_by_end_reason on calls (account_id, mode, end_reason, created_at desc, id desc) where end_reason is not null;
create index calls_waiting on calls (account_id, mode, due_at, id) where state = 'queued';
create index calls_waiting_by_age on calls (due_at) where state = 'queued';
create index calls_unfinished on calls (account_id, mode, state) where state <> 'ended';

-- What may follow what. The end is final: nothing can be ended twice or brought back.
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
  created_at timestamptz(3) not null default clock_timestamp(),
  ended_at timestamptz(3),
  cause text,
  code integer,
  reason text,
  primary key (call_id, ordinal)
);

create table call_events (
  call_id text not null references calls,
  sequence integer not null,
  type text not null,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (call_id, sequence)
);
create unique index one_final_event_per_call on call_events (call_id) where type in ('call.completed', 'call.failed');
create trigger call_events_append_only before update or delete on call_events
  for each row execute function refuse_change();

-- Events to report to webhooks, with the body frozen when the event was committed.
create table outbox (
  id text primary key,
  account_id text not null references accounts,
  mode text not null,
  type text not null,
  call_id text references calls,
  sequence integer,
  body text not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create unique index one_final_outbox_row_per_call on outbox (call_id) where type in ('call.completed', 'call.failed');
create index outbox_by_account on outbox (account_id, mode, created_at desc, id desc);
