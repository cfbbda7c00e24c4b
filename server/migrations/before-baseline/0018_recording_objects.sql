-- What of a recording is in the bucket, where the installation has one. A row is there before the bucket is asked for
-- anything and until the bucket has nothing of it, so that nothing is forgotten in it.
create table recording_objects (
  call_id text primary key references calls,
  -- An upload in parts that is under way, and the parts that are up: their numbers, tags and lengths.
  upload_id text,
  parts jsonb not null default '[]',
  -- When the whole recording was up.
  stored_at timestamptz(3),
  -- Whoever works on it does so alone until then, by the database's clock.
  claimed_until timestamptz(3) not null default '-infinity'
);
