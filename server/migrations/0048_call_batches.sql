-- Lists of calls that are placed one after another.
create table call_batches (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  api_key_id text references api_keys,
  member_id text references members on delete set null,
  name text not null,
  -- What the calls have in common: agent, engine, caller id, schedule and so on.
  request jsonb not null,
  status text not null default 'running' check (status in ('running', 'paused', 'done', 'canceled')),
  -- Why the service paused it; null when a person did.
  paused_because text,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index call_batches_newest on call_batches (account_id, mode, created_at desc, id desc);
create index call_batches_running on call_batches (created_at, id) where status = 'running';

create table call_batch_rows (
  batch_id text not null references call_batches on delete cascade,
  number integer not null check (number > 0),
  phone_number text not null,
  -- Variables, metadata and time of this row.
  fields jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'placed', 'refused', 'canceled')),
  -- Set in the transaction that creates the call, so that no row is called twice.
  call_id text unique,
  refusal jsonb,
  primary key (batch_id, number),
  constraint placed_has_call check ((status = 'placed') = (call_id is not null))
);
create index call_batch_rows_waiting on call_batch_rows (batch_id, number) where status = 'waiting';

-- The number and the values of a row go with its call.
create function forget_batch_rows_of_calls() returns trigger language plpgsql as $$
begin
  delete from call_batch_rows where call_id in (select id from gone);
  return null;
end $$;
create trigger calls_batch_rows_go_with_them after delete on calls referencing old table as gone
  for each statement execute function forget_batch_rows_of_calls();
