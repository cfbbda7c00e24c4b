-- A second factor by time-based one-time codes (RFC 6238), and the codes that replace a lost device.
create table second_factors (
  member_id text primary key references members on delete cascade,
  -- Encrypted with a key derived from the installation's secret, and only readable in this row.
  secret_sealed bytea not null,
  -- Null while the member has not yet shown a first code: then it is not asked for.
  confirmed_at timestamptz(3),
  -- The time step of the last accepted code. A code of this step or an earlier one is never accepted again.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default clock_timestamp()
);

create table recovery_codes (
  member_id text not null references second_factors on delete cascade,
  code_digest bytea not null,
  used_at timestamptz(3),
  primary key (member_id, code_digest)
);

-- Sign-ins whose password was right and whose second factor is still awaited. Only a digest of the token is kept.
create table sign_in_challenges (
  token_digest bytea primary key,
  member_id text not null references members on delete cascade,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null
);
create index sign_in_challenges_by_member on sign_in_challenges (member_id);
