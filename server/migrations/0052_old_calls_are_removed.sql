-- Calls can be removed some time after they ended, with all that belongs to them. The ledger, usage statistics and the audit log stay.
alter table accounts
  -- Null leaves it to the installation.
  add column call_retention_days integer check (call_retention_days between 30 and 3650),
  -- Calls that ended before may have been removed. What remains about them cannot be compared with them any more.
  add column calls_removed_before timestamptz(3);

-- The events of a call are never changed, and go only with their call.
drop trigger call_events_append_only on call_events;
create trigger call_events_append_only before update or delete on call_events
  for each row when (current_setting('parley.removing_calls', true) is distinct from 'on') execute function refuse_change();

-- Without it the removal of each call would read all results.
create index scenario_results_by_call on scenario_results (call_id) where call_id is not null;

-- Removes ended calls. Returns those that it removed; the others are locked or have not ended.
create function remove_calls(call_ids text[]) returns setof text language plpgsql as $$
declare gone text[];
begin
  select coalesce(array_agg(id), '{}') into gone from (
    select id from calls where id = any (call_ids) and state = 'ended' for update skip locked
  ) ended;
  perform set_config('parley.removing_calls', 'on', true);
  delete from webhook_deliveries where event_id in (select id from outbox where call_id = any (gone));
  delete from outbox where call_id = any (gone);
  update scenario_results set call_id = null where call_id = any (gone);
  delete from transcript_items where call_id = any (gone);
  delete from transcript_words where call_id = any (gone);
  delete from transcript_passes where call_id = any (gone);
  delete from recording_peaks where call_id = any (gone);
  delete from call_attempts where call_id = any (gone);
  delete from call_runs where call_id = any (gone);
  delete from call_events where call_id = any (gone);
  delete from calls where id = any (gone);
  perform set_config('parley.removing_calls', 'off', true);
  return query select unnest(gone);
end $$;
