--! no-transaction
-- A lease is renewed every three seconds for as long as the call lasts. While its end was indexed, each renewal left a dead row and a dead entry in
-- every index of the table. Runs that have not ended are few, and are found without an order.
drop index concurrently if exists call_runs_open;
create index concurrently call_runs_open on call_runs (worker_id) where ended_at is null;
drop index concurrently if exists call_runs_live;
alter table call_runs set (fillfactor = 70);
