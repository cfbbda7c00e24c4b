-- How long what was said is kept, and that it was erased.

alter table accounts
  -- Null keeps it until somebody erases it.
  add column recording_retention_days integer check (recording_retention_days between 1 and 3650),
  add column transcript_retention_days integer check (transcript_retention_days between 1 and 3650);

alter table calls
  add column recording_erased_at timestamptz(3),
  add column transcript_erased_at timestamptz(3),
  -- Everything that can be erased was, because somebody asked for it.
  add column data_erased_at timestamptz(3);

create index calls_with_recording on calls (account_id, ended_at) where recording is not null and recording_erased_at is null;
create index calls_with_transcript on calls (account_id, ended_at) where answered_at is not null and transcript_erased_at is null;
-- Files are taken away by whoever has them, after the fact.
create index calls_recording_erased on calls (recording_erased_at, id) where recording_erased_at is not null;
-- Reports repeat what a call was about.
create index outbox_of_call on outbox (call_id) where call_id is not null;
