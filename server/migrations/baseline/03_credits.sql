-- Money, in whole micro-USD. A transfer moves an amount between four books and always sums to zero:
--   available  what the account may spend
--   held       reserved for calls that are queued or live
--   earned     what calls have cost, ours
--   funded     where credit came from (negative: it was given)

create table account_balances (
  account_id text primary key references accounts,
  available_micros bigint not null default 0 constraint balance_never_negative check (available_micros >= 0),
  held_micros bigint not null default 0 constraint held_never_negative check (held_micros >= 0),
  -- Set when the account was notified of a low balance; a top-up resets it.
  was_low_told boolean not null default false
);

create table ledger_transfers (
  id text primary key,
  account_id text not null references accounts,
  kind text not null check (kind in ('sign_up_credit', 'credit_added', 'credit_removed', 'hold', 'hold_extended', 'settled', 'released')),
  call_id text,
  note text not null default '',
  available_micros bigint not null default 0,
  held_micros bigint not null default 0,
  earned_micros bigint not null default 0,
  funded_micros bigint not null default 0,
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint transfer_sums_to_zero check (available_micros + held_micros + earned_micros + funded_micros = 0)
);
create index ledger_transfers_by_account on ledger_transfers (account_id, created_at desc, id desc);
create index ledger_transfers_by_call on ledger_transfers (call_id) where call_id is not null;
create unique index one_hold_per_call on ledger_transfers (call_id) where kind = 'hold';
create unique index one_settlement_per_call on ledger_transfers (call_id) where kind in ('settled', 'released');
create unique index one_sign_up_credit_per_account on ledger_transfers (account_id) where kind = 'sign_up_credit';
create trigger ledger_append_only before update or delete on ledger_transfers
  for each row execute function refuse_change();

create function apply_transfer(transfer ledger_transfers) returns void language plpgsql as $$
begin
  update account_balances
    set available_micros = available_micros + transfer.available_micros, held_micros = held_micros + transfer.held_micros,
      was_low_told = was_low_told and transfer.kind <> 'credit_added'
    where account_id = transfer.account_id;
  if not found then
    raise exception 'account % has no balance', transfer.account_id;
  end if;
end $$;

-- Posts a transfer and applies it. The two cannot be had apart, so the balance always equals the ledger.
create function post_transfer(
  transfer_id text, owner_id text, transfer_kind text, about_call text, transfer_note text,
  available bigint, held bigint, earned bigint, funded bigint
) returns text language plpgsql as $$
declare transfer ledger_transfers;
begin
  perform set_config('parley.acts_by_name', 'on', true);
  insert into ledger_transfers (id, account_id, kind, call_id, note, available_micros, held_micros, earned_micros, funded_micros)
  values (transfer_id, owner_id, transfer_kind, about_call, transfer_note, available, held, earned, funded)
  returning * into transfer;
  perform set_config('parley.acts_by_name', 'off', true);
  perform apply_transfer(transfer);
  return transfer.id;
end $$;

-- For processes of the previous release, which insert transfers themselves. To be dropped in the next release. A restore
-- copies transfers and balances as they were.
create function apply_transfer() returns trigger language plpgsql as $$
begin
  if 'on' in (current_setting('parley.restoring', true), current_setting('parley.acts_by_name', true)) then return null; end if;
  perform apply_transfer(new);
  return null;
end $$;
create trigger ledger_applied after insert on ledger_transfers for each row execute function apply_transfer();

-- What was spent or reserved on a day (UTC), per account and per key, to enforce daily caps.
create table spend_days (
  spender_id text not null,
  day date not null,
  micros bigint not null,
  primary key (spender_id, day)
);

-- Price of a minute on the phone network, by longest matching prefix of the number. A new installation starts with
-- rates.csv; operators change them as they like. The rate of '+' is for the simulated network alone: on trunks a number
-- that no longer prefix matches is not called.
create table rates (
  prefix text primary key check (prefix ~ '^\+[0-9]*$'),
  per_minute_micros bigint not null check (per_minute_micros >= 0),
  description text not null default ''
);

-- Price of a minute of an engine. An engine that is not listed costs nothing.
create table engine_rates (
  engine text primary key,
  per_minute_micros bigint not null check (per_minute_micros >= 0)
);
insert into engine_rates (engine, per_minute_micros) values ('local', 10000);
