-- Two actions that followed an insert by a trigger become functions that the service calls by name: applying a transfer to
-- the balance, and queueing an event for the endpoints that subscribe to it.
--
-- Processes of the release before may still run beside this one, and insert the rows themselves. For them the triggers stay
-- until the next release. They do nothing for rows that post_transfer and report_event insert: these set
-- `parley.acts_by_name` for the length of their own insert, within the transaction.

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

create or replace function apply_transfer() returns trigger language plpgsql as $$
begin
  if 'on' in (current_setting('parley.restoring', true), current_setting('parley.acts_by_name', true)) then return null; end if;
  perform apply_transfer(new);
  return null;
end $$;

-- Queues an event for every endpoint that subscribes to it. What a disabled endpoint misses is held for it.
create function queue_deliveries(event outbox) returns void language plpgsql as $$
begin
  insert into webhook_deliveries (id, endpoint_id, event_id, event_type, call_id, status, is_asked_for, next_attempt_at, created_at)
  select 'dlv_' || substr(event.id, 5, 10) || right(replace(gen_random_uuid()::text, '-', ''), 16), e.id, event.id, event.type, event.call_id,
    case when e.is_enabled or event.endpoint_id is not null then 'pending' else 'held' end,
    event.endpoint_id is not null,
    case when e.is_enabled or event.endpoint_id is not null then timestamptz '-infinity' end,
    event.created_at
  from webhook_endpoints e
  where e.account_id = event.account_id and e.mode = event.mode and e.deleted_at is null
    and case when event.endpoint_id is null then e.event_types is null or event.type = any(e.event_types) else e.id = event.endpoint_id end;
  if found then perform pg_notify('parley_webhooks', ''); end if;
end $$;

-- Stores an event and queues its deliveries, in the transaction of what it reports. With an endpoint it is for that one alone.
create function report_event(
  event_id text, owner_id text, event_mode text, event_type text, about_call text, call_sequence integer, event_body text,
  only_endpoint text default null
) returns text language plpgsql as $$
declare event outbox;
begin
  perform set_config('parley.acts_by_name', 'on', true);
  insert into outbox (id, account_id, mode, type, call_id, sequence, body, endpoint_id)
  values (event_id, owner_id, event_mode, event_type, about_call, call_sequence, event_body, only_endpoint)
  returning * into event;
  perform set_config('parley.acts_by_name', 'off', true);
  perform queue_deliveries(event);
  return event.id;
end $$;

create or replace function queue_deliveries() returns trigger language plpgsql as $$
begin
  -- A backup has the deliveries too.
  if 'on' in (current_setting('parley.restoring', true), current_setting('parley.acts_by_name', true)) then return null; end if;
  perform queue_deliveries(new);
  return null;
end $$;
