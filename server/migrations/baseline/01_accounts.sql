-- Accounts, their members and keys, sign-in, the audit log, and the bookkeeping of API requests.

-- For tables whose rows are written once: the ledger, published versions, call events, the audit log.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows are never changed', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

create table accounts (
  id text primary key,
  name text not null,

  -- Spending limits; null is no limit.
  daily_spend_cap_micros bigint check (daily_spend_cap_micros >= 0),
  call_spend_cap_micros bigint check (call_spend_cap_micros >= 0),
  destination_spend_cap_micros bigint check (destination_spend_cap_micros >= 0),
  -- The account is notified when its balance falls below this.
  credit_low_micros bigint not null default 1000000 check (credit_low_micros >= 0),

  -- Calling hours by the callee's clock, as 'HH:MM'; null leaves them to the rules of the installation.
  hours_start text,
  hours_end text,

  -- Null keeps recordings or transcripts until they are erased by hand.
  recording_retention_days integer check (recording_retention_days between 1 and 3650),
  transcript_retention_days integer check (transcript_retention_days between 1 and 3650),

  -- How agents disclose that they are automated unless the agent has its own wording. Null uses the service's wording.
  disclosure text check (char_length(disclosure) between 1 and 500),

  created_at timestamptz(3) not null default clock_timestamp(),
  constraint hours_are_whole check ((hours_start is null) = (hours_end is null) and hours_start < hours_end)
);

-- A member without a password was invited, or is the first owner before the account is claimed.
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

-- Signed-in browsers. Only a digest of the cookie's token is stored.
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

-- Time-based one-time codes (RFC 6238) as a second factor.
create table second_factors (
  member_id text primary key references members on delete cascade,
  -- Encrypted with a key derived from the installation's secret, and bound to this row.
  secret_sealed bytea not null,
  -- Null until the member has entered a first code; until then no code is required to sign in.
  confirmed_at timestamptz(3),
  -- The time step of the last accepted code. A code of this step or an earlier one is never accepted again.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default clock_timestamp()
);

-- Single-use codes that replace a lost device.
create table recovery_codes (
  member_id text not null references second_factors on delete cascade,
  code_digest bytea not null,
  used_at timestamptz(3),
  primary key (member_id, code_digest)
);

-- Sign-ins whose password was right and whose second factor is still missing. Only a digest of the token is stored.
create table sign_in_challenges (
  token_digest bytea primary key,
  member_id text not null references members on delete cascade,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null
);
create index sign_in_challenges_by_member on sign_in_challenges (member_id);

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

-- Failed sign-in attempts, counted per subject (an e-mail address, an IP address) and time window.
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
  -- Empty allows every address.
  allowed_ips text[] not null default '{}',
  daily_spend_cap_micros bigint check (daily_spend_cap_micros >= 0),
  created_by text references members on delete set null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index api_keys_by_account on api_keys (account_id, created_at desc, id desc);

-- Every process drops its cached copy of a key when the key changes.
create function tell_api_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_api_keys', old.id);
  return null;
end $$;
create trigger api_keys_changed after update of revoked_at, expires_at, scopes, allowed_ips, daily_spend_cap_micros on api_keys
  for each row execute function tell_api_key_changed();

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

-- Responses to requests with an idempotency key, replayed when the request is repeated.
create table idempotency_records (
  account_id text not null references accounts,
  mode text not null,
  method text not null,
  path text not null,
  idempotency_key text not null,
  -- 'key' for all API keys of the account together, otherwise the id of the member.
  asked_by text not null default 'key',
  fingerprint bytea not null,
  status integer not null,
  body text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, mode, method, path, idempotency_key, asked_by)
);
create index idempotency_records_by_age on idempotency_records (created_at);

-- Requests granted in the current rate-limit window. Unlogged: losing a window of one second in a crash is harmless.
create unlogged table rate_windows (
  bucket text primary key,
  window_start bigint not null,
  granted integer not null,
  last_grant integer not null
);
