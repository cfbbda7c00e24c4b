-- What a stronger model understood of the callee after the call, beside what was understood while it went on.

create table transcript_passes (
  call_id text primary key references calls,
  model text not null,
  status text not null check (status in ('running', 'done', 'failed')),
  attempts integer not null default 1 check (attempts > 0),
  -- Whoever works on it holds it until then. Somebody else takes over afterwards.
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

create index calls_recorded on calls (ended_at, id) where recording->>'status' = 'ready';
