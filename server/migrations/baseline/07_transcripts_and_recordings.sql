-- What was said in calls, how to find it again, and where recordings are.

-- In the order in which items were noted. An item is written once; one that was taken back, because the callee had not
-- finished after all, is deleted in the transaction that writes its replacement.
create table transcript_items (
  call_id text not null references calls,
  ordinal integer not null check (ordinal > 0),
  type text not null check (type in ('speech', 'decision', 'tool_call', 'tool_result', 'node', 'dtmf', 'note')),
  turn integer,
  start_ms integer not null,
  item jsonb not null,
  primary key (call_id, ordinal)
);
comment on column transcript_items.start_ms is 'Orders the items. Words stand before the tool that was asked while they were spoken.';

-- A call that was not answered has no transcript.
create function guard_transcript() returns trigger language plpgsql as $$
declare unanswered text;
begin
  select c.id into unanswered from added a join calls c on c.id = a.call_id where c.answered_at is null limit 1;
  if unanswered is not null then
    raise exception 'call % was never answered and can have no transcript', unanswered
      using errcode = 'check_violation', constraint = 'transcript_needs_answer';
  end if;
  return null;
end $$;
create trigger transcript_needs_answer after insert on transcript_items
  referencing new table as added for each statement execute function guard_transcript();

-- The words of a call, for full-text search. Beside the words, which hold letters and digits only, is one entry for the
-- account and the mode (`acc_...:test`): the index then answers for one account alone, however many there are.
create table transcript_words (
  call_id text primary key references calls,
  words tsvector not null
);
-- Written as calls end, one row each. Without `fastupdate` no call pays for the words of many others.
create index transcript_words_by_word on transcript_words using gin (words) with (fastupdate = off);

-- A second transcription of the callee by a stronger model after the call, beside the live one.
create table transcript_passes (
  call_id text primary key references calls,
  model text not null,
  status text not null check (status in ('running', 'done', 'failed')),
  attempts integer not null default 1 check (attempts > 0),
  -- The process that works on it holds it until then; afterwards another takes over.
  lease_until timestamptz(3) not null,
  reason text,
  finished_at timestamptz(3)
);

create table transcript_revisions (
  call_id text not null,
  ordinal integer not null,
  text text not null,
  primary key (call_id, ordinal),
  foreign key (call_id, ordinal) references transcript_items on delete cascade
);

-- The waveform of a recording: the peak of each stretch on both sides, one byte each and at most 2,000 of them.
create table recording_peaks (
  call_id text primary key references calls,
  samples_per_peak integer not null check (samples_per_peak > 0),
  callee bytea not null check (length(callee) <= 2000),
  agent bytea not null check (length(agent) <= 2000)
);

-- What the bucket holds of a recording, where the installation has a bucket. A row exists from before the first request to
-- the bucket until the bucket holds nothing of the recording, so that no object is ever orphaned.
create table recording_objects (
  call_id text primary key references calls,
  -- A multipart upload in progress, and the parts that are stored: their numbers, tags and lengths.
  upload_id text,
  parts jsonb not null default '[]',
  -- When the whole recording was stored.
  stored_at timestamptz(3),
  -- One process works on it exclusively until then, by the database's clock.
  claimed_until timestamptz(3) not null default '-infinity'
);
