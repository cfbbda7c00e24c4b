-- Whether the database was there for the workers without a gap. A lease that ran out while nobody could renew says nothing
-- about its worker: nobody is called lost before this has been steady for a while.
create table worker_pulse (
  is_only_row boolean primary key default true check (is_only_row),
  beat_at timestamptz not null default '-infinity',
  steady_since timestamptz not null default '-infinity'
);
insert into worker_pulse default values;
