-- Calls that follow another one, because the callee asked to be called later.
alter table calls add column follows_call_id text;
alter table calls add column followed_by_call_id text;
-- How many calls before this one were followed up in a row.
alter table calls add column redials smallint not null default 0;

-- Ended calls whose follow-up call is still to be created. The row is deleted in the transaction that creates it.
create table redials (
  call_id text primary key references calls on delete cascade,
  -- When the callee wants to be called.
  call_at timestamptz(3) not null,
  next_try_at timestamptz(3) not null default clock_timestamp()
);
create index redials_by_next_try on redials (next_try_at);
