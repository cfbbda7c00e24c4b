-- What an account wants to be told about, by mode.
create table alert_rules (
  account_id text not null references accounts on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  answer_rate jsonb,
  incidents jsonb,
  credit_low boolean not null default false,
  quiet_minutes integer not null default 60 check (quiet_minutes >= 0),
  email_owners boolean not null default true,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (account_id, mode)
);

create table alerts (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  type text not null,
  cause jsonb not null,
  raised_at timestamptz not null,
  resolved_at timestamptz
);
create index alerts_newest on alerts (account_id, mode, id desc);
create index alerts_by_age on alerts (raised_at);
-- The same alert is not raised twice, however many processes look.
create unique index alerts_open on alerts (account_id, mode, type) where resolved_at is null;
