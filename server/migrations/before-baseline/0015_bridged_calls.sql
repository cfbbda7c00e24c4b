-- A callee who was connected with somebody else over a second leg: what a minute of it costs, and from which second on.
alter table calls
  add column bridge_per_minute_micros bigint not null default 0 check (bridge_per_minute_micros >= 0),
  add column bridged_after_seconds integer check (bridged_after_seconds >= 0);
