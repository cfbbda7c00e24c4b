-- Where a call's recording stands. The file itself is found by the call's id and day.
alter table calls add column recording jsonb;
