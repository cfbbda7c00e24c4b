-- How to draw a recording: the loudest moment of each stretch of both sides, a byte each and 2,000 of them at most.
create table recording_peaks (
  call_id text primary key references calls,
  samples_per_peak integer not null check (samples_per_peak > 0),
  callee bytea not null check (length(callee) <= 2000),
  agent bytea not null check (length(agent) <= 2000)
);

-- What is still said to be recorded: few calls, whatever there were before.
create index calls_being_recorded on calls (ended_at) where recording->>'status' = 'recording';
