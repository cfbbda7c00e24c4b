-- Each worker reports how many calls it holds, how many it could hold at once by its own measurements, and what keeps it
-- from starting more.
alter table workers
  add column calls_held integer not null default 0,
  add column calls_max integer,
  add column limited_by jsonb;
