-- Scenarios: what a callee does and what must come of it, the runs that test it, and trying an agent by voice.

create table scenarios (
  id text primary key,
  account_id text not null references accounts,
  agent_id text not null references agents,
  name text not null,
  -- What the callee does and what must hold, as the contract defines it.
  steps jsonb not null,
  variables jsonb not null,
  tool_replies jsonb not null,
  expect jsonb not null,
  made_from_call_id text,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp()
);
create index scenarios_by_agent on scenarios (agent_id, created_at, id);

create table scenario_runs (
  id text primary key,
  account_id text not null references accounts,
  agent_id text not null references agents,
  medium text not null check (medium in ('text', 'audio')),
  -- The version that the calls of a run on audio are pinned to.
  agent_version integer,
  -- The member or key in whose name the calls are placed.
  placed_by jsonb,
  created_at timestamptz(3) not null default clock_timestamp(),
  finished_at timestamptz(3)
);
create index scenario_runs_unfinished on scenario_runs (created_at) where finished_at is null;

-- One row for each scenario of a run, with the scenario as it was then. A result is written once.
create table scenario_results (
  run_id text not null references scenario_runs,
  ordinal integer not null,
  scenario jsonb not null,
  call_id text references calls,
  result jsonb,
  primary key (run_id, ordinal)
);

-- Voice tries in progress: one at a time for each member or key, as long as it is renewed.
create table voice_tries (
  actor_id text primary key,
  try_id text not null,
  expires_at timestamptz(3) not null
);
