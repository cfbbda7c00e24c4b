-- Agents with one draft each, the versions published from it, and the models and secrets they use.

create table agents (
  id text primary key,
  account_id text not null references accounts,
  name text not null,
  description text not null default '',
  engine text,
  language text not null,
  flow jsonb not null,
  revision integer not null default 1,
  published_version integer,
  -- The revision of the draft that was published, which tells whether the draft has changed since.
  published_revision integer,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  -- The member or key that last changed the draft, as in the audit log. Null if it was never changed.
  updated_by text,
  deleted_at timestamptz(3)
);
create index agents_by_account on agents (account_id, created_at desc, id desc) where deleted_at is null;

create table agent_versions (
  id text primary key,
  agent_id text not null references agents,
  version integer not null,
  note text not null default '',
  engine text,
  language text not null,
  flow jsonb not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (agent_id, version)
);
create trigger agent_versions_frozen before update or delete on agent_versions
  for each row execute function refuse_change();

alter table agents add constraint agents_published_version_exists
  foreign key (id, published_version) references agent_versions (agent_id, version);

-- The sealed secret that signs the requests of an account's tools. After a rotation the previous one signs as well for a while.
create table tool_secrets (
  account_id text primary key references accounts,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz(3),
  constraint previous_tool_secret_is_whole check ((previous_secret_sealed is null) = (previous_secret_until is null))
);

-- Language model providers as operators configured them. The environment of a process takes precedence.
create table model_providers (
  name text primary key,
  -- Encrypted with a key derived from the installation's secret, and bound to this row. The last characters are stored
  -- in the clear so that people can tell keys apart.
  api_key_sealed bytea,
  last_four text,
  base_url text,
  model text,
  use text not null check (use in ('first', 'fallback', 'off')),
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  constraint ending_belongs_to_a_key check (last_four is null or api_key_sealed is not null)
);
create unique index one_model_is_asked_first on model_providers ((true)) where use = 'first';

-- Every process reloads the providers when they change.
create function tell_models_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_models', '');
  return null;
end $$;
create trigger model_providers_changed after insert or update or delete on model_providers
  for each statement execute function tell_models_changed();
