-- Who may be called, how often and when.

-- Numbers that an account never calls.
create table suppressions (
  account_id text not null references accounts,
  phone_number text not null,
  reason text not null default '',
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, phone_number)
);
create index suppressions_by_age on suppressions (account_id, created_at desc, phone_number);

-- The row without an account holds the installation's rules, where null means no rule. In an account's row null means
-- that the installation's rule applies.
create table gate_rules (
  account_id text references accounts,
  countries text[],
  rate_max_micros bigint check (rate_max_micros >= 0),
  calls_per_number_and_day integer check (calls_per_number_and_day >= 0),
  calls_per_range_and_hour integer check (calls_per_range_and_hour >= 0),
  calls_per_country_and_hour integer check (calls_per_country_and_hour >= 0),
  hours_start text,
  hours_end text,
  may_ignore_hours boolean,
  constraint hours_are_whole check ((hours_start is null) = (hours_end is null) and hours_start < hours_end)
);
create unique index one_gate_per_account on gate_rules (coalesce(account_id, ''));
insert into gate_rules (
  calls_per_number_and_day, calls_per_range_and_hour, calls_per_country_and_hour, hours_start, hours_end, may_ignore_hours
) values (10, 100, 3000, '08:00', '21:00', true);

-- How many calls an account has placed to a number, a range of numbers or a country since the start of a day or an hour.
create table gate_counts (
  account_id text not null references accounts,
  kind text not null check (kind in ('number', 'range', 'country')),
  subject text not null,
  window_start timestamptz(3) not null,
  calls integer not null check (calls > 0),
  primary key (account_id, kind, subject, window_start)
);
create index gate_counts_by_age on gate_counts (window_start);
