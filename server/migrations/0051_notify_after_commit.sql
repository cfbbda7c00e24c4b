-- Transactions that notify are committed one after the other, each waiting for the disk, so the notification is left to the process that
-- stores the event: after its commit, and only where something was queued.

-- The same as queue_deliveries, without a notification. Returns whether anything waits to be sent.
create function queue_event(event outbox) returns boolean language plpgsql as $$
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
  return found;
end $$;

-- Returns the id of the event if it is on its way to any endpoint, or null. Processes of the previous release, which expect a notification,
-- poll every few seconds.
create or replace function report_event(
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
  return case when queue_event(event) then event.id end;
end $$;
