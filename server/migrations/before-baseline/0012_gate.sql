-- Who may be called, how often and when; and what calls may cost.

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
insert into gate_rules values (null, null, 500000, 10, 100, 3000, '08:00', '21:00', true);

-- How many calls an account has sent to a number, a range of numbers or a country since the beginning of a day or an hour.
create table gate_counts (
  account_id text not null references accounts,
  kind text not null check (kind in ('number', 'range', 'country')),
  subject text not null,
  window_start timestamptz(3) not null,
  calls integer not null check (calls > 0),
  primary key (account_id, kind, subject, window_start)
);
create index gate_counts_by_age on gate_counts (window_start);

alter table accounts
  add column call_spend_cap_micros bigint check (call_spend_cap_micros >= 0),
  add column destination_spend_cap_micros bigint check (destination_spend_cap_micros >= 0),
  add column credit_low_micros bigint not null default 1000000 check (credit_low_micros >= 0),
  add column hours_start text,
  add column hours_end text,
  add constraint hours_are_whole check ((hours_start is null) = (hours_end is null) and hours_start < hours_end);

-- Set when the account was told that its balance is low; a top-up makes it worth telling again.
alter table account_balances add column was_low_told boolean not null default false;

create or replace function apply_transfer() returns trigger language plpgsql as $$
begin
  if current_setting('parley.restoring', true) = 'on' then
    return null;
  end if;
  update account_balances
    set available_micros = available_micros + new.available_micros, held_micros = held_micros + new.held_micros,
      was_low_told = was_low_told and new.kind <> 'credit_added'
    where account_id = new.account_id;
  if not found then
    raise exception 'account % has no balance', new.account_id;
  end if;
  return null;
end $$;

-- A call is admitted when it was counted and its credit is held: at once, or when its time has come.
alter table calls
  add column calling_hours text not null default 'wait' check (calling_hours in ('wait', 'fail', 'ignore')),
  add column admitted_at timestamptz(3);
update calls set admitted_at = created_at where state <> 'ended';

-- A call that nobody could dial expires a day after it was asked for, or after the time it was scheduled for.
create index calls_waiting_by_deadline on calls (greatest(created_at, scheduled_at)) where state = 'queued';
