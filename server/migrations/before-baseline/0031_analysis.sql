-- What a call came to, judged when it ended. Null for calls that were not answered, and where it was erased.
alter table calls add column analysis jsonb;

create unique index one_analyzed_event_per_call on call_events (call_id) where type = 'call.analyzed';
create unique index one_analyzed_outbox_row_per_call on outbox (call_id) where type = 'call.analyzed';
