-- What was said and done in a call, and what came of it.

alter table calls
  -- What the call asked for when a voicemail answers; null leaves it to the agent.
  add column voicemail jsonb,
  add column collected jsonb,
  add column latency jsonb;

-- In the order in which it was noted. An item is written once; one that was taken back, because the callee had not
-- finished after all, is deleted in the transaction that writes what took its place.
create table transcript_items (
  call_id text not null references calls,
  ordinal integer not null check (ordinal > 0),
  type text not null check (type in ('speech', 'tool_call', 'tool_result', 'node', 'dtmf', 'note')),
  turn integer,
  start_ms integer not null,
  item jsonb not null,
  primary key (call_id, ordinal)
);
