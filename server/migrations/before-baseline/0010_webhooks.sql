-- Where events are sent, and how each of them fares on its way.

create table webhook_endpoints (
  id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('test', 'live')),
  url text not null,
  -- Null asks for everything.
  event_types text[],
  description text not null default '',
  header_names text[] not null default '{}',
  headers_sealed bytea not null,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz(3),
  is_enabled boolean not null default true,
  disabled_at timestamptz(3),
  disabled_reason text check (disabled_reason in ('member', 'gone', 'failing')),
  -- How it fares, by the clock of whoever delivers.
  failures_in_a_row integer not null default 0,
  paused_until timestamptz(3),
  failing_since timestamptz(3),
  warned_at timestamptz(3),
  last_success_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  deleted_at timestamptz(3),
  constraint disabled_has_a_reason check (is_enabled = (disabled_reason is null) and is_enabled = (disabled_at is null)),
  constraint previous_secret_has_an_end check ((previous_secret_sealed is null) = (previous_secret_until is null))
);
create index webhook_endpoints_of_account on webhook_endpoints (account_id, mode, id desc) where deleted_at is null;

-- Set for an event that is for one endpoint alone, whatever that asks for.
alter table outbox add column endpoint_id text references webhook_endpoints;
create index outbox_for_one on outbox (endpoint_id) where endpoint_id is not null;
create index outbox_by_age on outbox using brin (created_at);

-- One event on its way to one endpoint. The first attempt of a round is due at -infinity: at once, whatever any clock says.
create table webhook_deliveries (
  id text primary key,
  endpoint_id text not null references webhook_endpoints,
  event_id text not null references outbox,
  event_type text not null,
  call_id text,
  status text not null check (status in ('pending', 'delivered', 'failed', 'held')),
  -- Somebody wants it sent, also while the endpoint is disabled.
  is_asked_for boolean not null default false,
  -- Tries of this round; a replay begins another. Attempts are counted for ever.
  try_count integer not null default 0,
  attempt_count integer not null default 0,
  next_attempt_at timestamptz(3),
  claimed_until timestamptz(3),
  -- Counts claims and replays: what an earlier claim found out changes nothing any more.
  fence integer not null default 0,
  last_attempt_at timestamptz(3),
  last_status integer,
  last_reason text,
  created_at timestamptz(3) not null default clock_timestamp(),
  delivered_at timestamptz(3),
  unique (event_id, endpoint_id),
  constraint pending_has_a_time check ((status = 'pending') = (next_attempt_at is not null))
);
create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, next_attempt_at, id) where status = 'pending';
create index webhook_deliveries_claimed on webhook_deliveries (endpoint_id) where claimed_until is not null;
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, created_at desc, id desc);
create index webhook_deliveries_by_call on webhook_deliveries (call_id) where call_id is not null;
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at);

create table webhook_attempts (
  delivery_id text not null references webhook_deliveries on delete cascade,
  fence integer not null,
  started_at timestamptz(3) not null,
  latency_ms integer not null,
  is_success boolean not null,
  status integer,
  reason text not null,
  response_body text,
  primary key (delivery_id, fence)
);
create index webhook_attempts_by_age on webhook_attempts using brin (started_at);

-- Whoever reports an event thereby queues it for every endpoint that wants it, in the same transaction. What a disabled
-- endpoint misses is held for it.
create function queue_deliveries() returns trigger language plpgsql as $$
begin
  -- A backup has the deliveries too.
  if current_setting('parley.restoring', true) = 'on' then return null; end if;
  insert into webhook_deliveries (id, endpoint_id, event_id, event_type, call_id, status, is_asked_for, next_attempt_at, created_at)
  select 'dlv_' || substr(new.id, 5, 10) || right(replace(gen_random_uuid()::text, '-', ''), 16), e.id, new.id, new.type, new.call_id,
    case when e.is_enabled or new.endpoint_id is not null then 'pending' else 'held' end,
    new.endpoint_id is not null,
    case when e.is_enabled or new.endpoint_id is not null then timestamptz '-infinity' end,
    new.created_at
  from webhook_endpoints e
  where e.account_id = new.account_id and e.mode = new.mode and e.deleted_at is null
    and case when new.endpoint_id is null then e.event_types is null or new.type = any(e.event_types) else e.id = new.endpoint_id end;
  if found then perform pg_notify('parley_webhooks', ''); end if;
  return null;
end $$;
create trigger outbox_queues_deliveries after insert on outbox for each row execute function queue_deliveries();
