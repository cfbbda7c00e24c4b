-- Accounts, the people in them, and what they are known by.

create table accounts (
  id text primary key,
  name text not null,
  daily_spend_cap_micros bigint check (daily_spend_cap_micros >= 0),
  created_at timestamptz(3) not null default clock_timestamp()
);

-- A member without a password has been invited, or is the first owner before the account is claimed.
create table members (
  id text primary key,
  account_id text not null references accounts,
  email text,
  password_hash text,
  role text not null check (role in ('owner', 'member')),
  is_operator boolean not null default false,
  created_at timestamptz(3) not null default clock_timestamp(),
  check (email = lower(email))
);
create unique index members_by_email on members (email);
create index members_by_account on members (account_id, created_at, id);

-- Signed-in browsers. Only a digest of the cookie's token is kept.
create table sign_ins (
  id text primary key,
  member_id text not null references members on delete cascade,
  token_digest bytea not null unique,
  ip text,
  client text,
  created_at timestamptz(3) not null default clock_timestamp(),
  last_seen_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null
);
create index sign_ins_by_member on sign_ins (member_id);
create index sign_ins_by_expiry on sign_ins (expires_at);

-- One-time links: claim the first account, accept an invitation, reset a password.
create table links (
  id text primary key,
  kind text not null check (kind in ('claim', 'invite', 'reset')),
  member_id text not null references members on delete cascade,
  token_digest bytea not null unique,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index links_by_member on links (member_id);

-- Failed attempts, counted per subject (an e-mail, an address) in windows.
create table failed_attempts (
  subject text not null,
  window_start timestamptz(3) not null,
  failures integer not null,
  primary key (subject, window_start)
);
create index failed_attempts_by_age on failed_attempts (window_start);

create table api_keys (
  id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('test', 'live')),
  name text not null,
  prefix text not null,
  last_four text not null,
  digest bytea not null unique,
  scopes text[] not null,
  allowed_ips text[] not null default '{}',
  daily_spend_cap_micros bigint check (daily_spend_cap_micros >= 0),
  created_by text references members on delete set null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index api_keys_by_account on api_keys (account_id, created_at desc, id desc);

-- Every process drops what it remembers of a key when the key changes.
create function tell_api_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_api_keys', old.id);
  return null;
end $$;
create trigger api_keys_changed after update of revoked_at, expires_at, scopes, allowed_ips, daily_spend_cap_micros on api_keys
  for each row execute function tell_api_key_changed();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows are never changed', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

create table audit_log (
  id text primary key,
  account_id text references accounts,
  actor text not null,
  action text not null,
  target text,
  ip text,
  client text,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null default clock_timestamp()
);
create index audit_log_by_account on audit_log (account_id, created_at desc, id desc);
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();

create table idempotency_records (
  account_id text not null references accounts,
  mode text not null,
  method text not null,
  path text not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  status integer not null,
  body text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, mode, method, path, idempotency_key)
);
create index idempotency_records_by_age on idempotency_records (created_at);

-- Requests granted in the current window. Lost in a crash on purpose: a window lasts a second.
create unlogged table rate_windows (
  bucket text primary key,
  window_start bigint not null,
  granted integer not null,
  last_grant integer not null
);

create table suppressions (
  account_id text not null references accounts,
  phone_number text not null,
  reason text not null default '',
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, phone_number)
);
create index suppressions_by_age on suppressions (account_id, created_at desc, phone_number);
