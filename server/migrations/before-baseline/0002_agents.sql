-- Agents: one draft each, and the versions that were published from it.

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
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
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
