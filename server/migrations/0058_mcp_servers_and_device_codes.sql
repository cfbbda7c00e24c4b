-- Servers of the Model Context Protocol whose tools an account's agents may use.
create table mcp_servers (
  id text primary key,
  account_id text not null references accounts,
  name text not null,
  url text not null,
  header_names text[] not null,
  headers_sealed bytea not null,
  timeout_ms int not null,
  is_enabled boolean not null default true,
  checked_at timestamptz,
  problem text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (account_id, name)
);
create index mcp_servers_of_account on mcp_servers (account_id, id desc);

-- What a server said last about each tool, and what a member approved: agents use a tool while both digests are the same.
create table mcp_tools (
  server_id text not null references mcp_servers on delete cascade,
  name text not null,
  digest text not null,
  definition jsonb not null,
  is_offered boolean not null,
  approved_digest text,
  approved_definition jsonb,
  approved_by text,
  approved_at timestamptz,
  primary key (server_id, name),
  check ((approved_digest is null) = (approved_definition is null)),
  check ((approved_digest is null) = (approved_at is null))
);

-- Command lines that wait for a member to let them in (RFC 8628). The row is deleted when the key is fetched.
create table device_sign_ins (
  id text primary key,
  device_code_digest bytea not null unique,
  user_code text not null unique,
  client text not null,
  ip text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  is_denied boolean not null default false,
  account_id text references accounts,
  member_id text,
  mode text check (mode in ('test', 'live')),
  scopes text[],
  check ((account_id is null) = (member_id is null)),
  check ((account_id is null) = (mode is null)),
  check ((account_id is null) = (scopes is null))
);
create index device_sign_ins_expired on device_sign_ins (expires_at);
