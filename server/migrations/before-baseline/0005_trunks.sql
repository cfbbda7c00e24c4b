-- Trunks: the ways into the telephone network that an operator rents, and which numbers go out on which.

create table trunks (
  id text primary key,
  name text not null check (name <> ''),
  is_enabled boolean not null default true,
  -- A trunk from the configuration file is changed there and nowhere else.
  managed_by text not null default 'operator' check (managed_by in ('operator', 'configuration')),

  host text not null,
  port integer check (port between 1 and 65535),
  transport text not null default 'udp' check (transport in ('udp', 'tcp', 'tls')),
  outbound_proxy text,
  username text,
  -- Encrypted under a key derived from the installation's secret, and bound to the row's id.
  password_sealed bytea,
  from_host text,
  public_host text,
  public_port integer check (public_port between 1 and 65535),
  allows_tcp_for_large boolean not null default false,
  asserts_identity boolean not null default false,
  session_timer_seconds integer check (session_timer_seconds >= 90),
  offers_reliable_ringing boolean not null default true,
  stays_on_first_hop boolean not null default false,

  number_format text not null default 'e164' check (number_format in ('e164', 'digits')),
  dial_prefix text not null default '',
  caller_ids text[] not null default '{}',
  codecs text[] not null check (cardinality(codecs) > 0),
  srtp text not null default 'off' check (srtp in ('off', 'optional', 'required')),
  public_media_host text,
  registers_as text,
  ping_interval_seconds integer check (ping_interval_seconds > 0),

  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  constraint trunk_credentials_are_whole check ((username is null) = (password_sealed is null)),
  constraint trunk_registers_with_credentials check (registers_as is null or username is not null),
  constraint trunk_public_address_is_whole check ((public_host is null) = (public_port is null))
);
-- People say the name, so two that differ only in capitals would be mistaken for each other.
create unique index trunks_by_name on trunks (lower(name));

-- The calls on a trunk and its pace, apart from the trunk because each call changes this row. A null limit is none.
create table trunk_channels (
  trunk_id text primary key references trunks on delete cascade,
  channels_max integer check (channels_max between 1 and 100000),
  calls_per_second double precision check (calls_per_second > 0),
  active_count integer not null default 0 check (active_count >= 0),
  next_send_at timestamptz not null default '-infinity'
);
create function guard_trunk_channels() returns trigger language plpgsql as $$
begin
  if new.active_count > old.active_count and new.active_count > new.channels_max then
    raise exception 'trunk % would exceed % calls at once', new.trunk_id, new.channels_max
      using errcode = 'check_violation', constraint = 'trunk_within_limit';
  end if;
  return new;
end $$;
create trigger trunk_within_limit before update of active_count on trunk_channels
  for each row execute function guard_trunk_channels();

create table trunk_routes (
  id text primary key,
  -- Digits without the plus; empty is every number.
  prefix text not null check (prefix ~ '^[0-9]{0,15}$'),
  trunk_id text not null references trunks,
  priority integer not null default 0 check (priority >= 0),
  weight integer not null default 1 check (weight >= 0),
  managed_by text not null default 'operator' check (managed_by in ('operator', 'configuration')),
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  constraint one_route_per_prefix_and_trunk unique (prefix, trunk_id)
);
create index trunk_routes_by_trunk on trunk_routes (trunk_id);

-- How calls on a trunk fared, by the caller id that was shown (empty: none) and the day (UTC).
create table trunk_caller_days (
  trunk_id text not null references trunks on delete cascade,
  caller_id text not null,
  day date not null,
  attempts integer not null default 0,
  rang integer not null default 0,
  answered integer not null default 0,
  primary key (trunk_id, caller_id, day)
);
create index trunk_caller_days_by_age on trunk_caller_days (day);

-- The newest word of each worker on how a trunk does.
create table trunk_health (
  trunk_id text not null references trunks on delete cascade,
  worker_id text not null,
  is_reachable boolean,
  is_registered boolean,
  circuit text not null check (circuit in ('closed', 'open', 'half_open')),
  trouble text,
  reported_at timestamptz(3) not null default clock_timestamp(),
  primary key (trunk_id, worker_id)
);

-- The trunk of an attempt stays known after the trunk is gone. An attempt with a trunk counts as one of its channels from
-- its insert until its end. `record` is what another worker needs to end the leg.
alter table call_attempts add column trunk_id text, add column record jsonb;
create index call_attempts_on_trunks on call_attempts (trunk_id) where trunk_id is not null and ended_at is null;

-- Every process reads trunks and routes anew when they change.
create function tell_trunks_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_trunks', '');
  return null;
end $$;
create trigger trunks_changed after insert or update or delete on trunks
  for each statement execute function tell_trunks_changed();
create trigger trunk_routes_changed after insert or update or delete on trunk_routes
  for each statement execute function tell_trunks_changed();
create trigger trunk_limits_changed after update of channels_max, calls_per_second on trunk_channels
  for each statement execute function tell_trunks_changed();
