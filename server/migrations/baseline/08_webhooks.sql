-- Where events are sent, and each event on its way there.

create table webhook_endpoints (
  id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('test', 'live')),
  url text not null,
  -- Null subscribes to every event.
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
  -- Delivery health, by the clock of the process that delivers.
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

-- Events for webhooks, with the body as it was when the event was committed.
create table outbox (
  id text primary key,
  account_id text not null references accounts,
  mode text not null,
  type text not null,
  call_id text references calls,
  sequence integer,
  body text not null,
  -- Set for an event that is for one endpoint alone, whatever that endpoint subscribes to.
  endpoint_id text references webhook_endpoints,
  created_at timestamptz(3) not null default clock_timestamp()
);
create unique index one_final_outbox_row_per_call on outbox (call_id) where type in ('call.completed', 'call.failed');
create unique index one_analyzed_outbox_row_per_call on outbox (call_id) where type = 'call.analyzed';
create index outbox_by_account on outbox (account_id, mode, created_at desc, id desc);
create index outbox_for_one on outbox (endpoint_id) where endpoint_id is not null;
create index outbox_of_call on outbox (call_id) where call_id is not null;
create index outbox_by_age on outbox using brin (created_at);

-- One event on its way to one endpoint. The first attempt of a round is due at -infinity: at once, whatever any clock says.
create table webhook_deliveries (
  id text primary key,
  endpoint_id text not null references webhook_endpoints,
  event_id text not null references outbox,
  event_type text not null,
  call_id text,
  status text not null check (status in ('pending', 'delivered', 'failed', 'held')),
  -- A person asked for it to be sent, also while the endpoint is disabled.
  is_asked_for boolean not null default false,
  -- Tries of this round; a replay begins another. Attempts are counted over all rounds.
  try_count integer not null default 0,
  attempt_count integer not null default 0,
  next_attempt_at timestamptz(3),
  claimed_until timestamptz(3),
  -- Counts claims and replays: the result of an earlier claim changes nothing any more.
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

-- Queues an event for every endpoint that subscribes to it. What a disabled endpoint misses is held for it.
create function queue_deliveries(event outbox) returns void language plpgsql as $$
begin
  insert into webhook_deliveries (id, endpoint_id, event_id, event_type, call_id, status, is_asked_for, next_attempt_at, created_at)
  select 'dlv_' || substr(event.id, 5, 10) || right(replace(gen_random_uuid()::text, '-', ''), 16), e.id, event.id, event.type, event.call_id,
    case when e.is_enabled or event.endpoint_id is not null then 'pending' else 'held' end,
    event.endpoint_id is not null,
    case when e.is_enabled or event.endpoint_id is not null then timestamptz '-infinity' end,
    event.created_at
  from webhook_endpoints e
  where e.account_id = event.account_id and e.mode = event.mode and e.deleted_at is null
    and case when event.endpoint_id is null then e.event_types is null or event.type = any(e.event_types) else e.id = event.endpoint_id end;
  if found then perform pg_notify('parley_webhooks', ''); end if;
end $$;

-- Stores an event and queues its deliveries, in the transaction of what it reports. With an endpoint it is for that one alone.
create function report_event(
  event_id text, owner_id text, event_mode text, event_type text, about_call text, call_sequence integer, event_body text,
  only_endpoint text default null
) returns text language plpgsql as $$
declare event outbox;
begin
  perform set_config('parley.acts_by_name', 'on', true);
  insert into outbox (id, account_id, mode, type, call_id, sequence, body, endpoint_id)
  values (event_id, owner_id, event_mode, event_type, about_call, call_sequence, event_body, only_endpoint)
  returning * into event;
  perform set_config('parley.acts_by_name', 'off', true);
  perform queue_deliveries(event);
  return event.id;
end $$;

-- For processes of the previous release, which insert events themselves. To be dropped in the next release.
create function queue_deliveries() returns trigger language plpgsql as $$
begin
  -- A backup has the deliveries too.
  if 'on' in (current_setting('parley.restoring', true), current_setting('parley.acts_by_name', true)) then return null; end if;
  perform queue_deliveries(new);
  return null;
end $$;
create trigger outbox_queues_deliveries after insert on outbox for each row execute function queue_deliveries();
