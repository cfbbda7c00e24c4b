--! no-transaction
-- Each statement is a transaction of its own, and does nothing where it was done before an interruption.
select bound_first_month(t) from unnest(array['call_events', 'recording_peaks', 'transcript_items', 'transcript_revisions']) t;
select check_first_month('call_events');
select check_first_month('recording_peaks');
select check_first_month('transcript_items');
select check_first_month('transcript_revisions');
select split_by_month('call_events');
select split_by_month('recording_peaks');
select split_by_month('transcript_revisions');
select split_by_month('transcript_items');
-- contract: only this migration used them
drop function if exists bound_first_month(text);
-- contract: only this migration used them
drop function if exists check_first_month(text);
-- contract: only this migration used them
drop function if exists split_by_month(text);
