--! no-transaction
-- Filters of lists find ended calls by these, and calls under way by calls_unfinished. A call that is under way changes its state three to
-- seven times, and each change wrote an entry to every index that has it. Now each is written to these once, when the call ends.
drop index concurrently if exists calls_ended_by_agent;
create index concurrently calls_ended_by_agent
  on calls (account_id, mode, agent_id, created_at desc, id desc) where state = 'ended';
drop index concurrently if exists calls_ended_by_api_key;
create index concurrently calls_ended_by_api_key
  on calls (account_id, mode, (coalesce(api_key_id, '')), created_at desc, id desc) where state = 'ended';
drop index concurrently if exists calls_ended_by_engine;
create index concurrently calls_ended_by_engine
  on calls (account_id, mode, engine, created_at desc, id desc) where state = 'ended';
drop index concurrently if exists calls_ended_by_status;
create index concurrently calls_ended_by_status
  on calls (account_id, mode, status, created_at desc, id desc) where state = 'ended';
-- Processes of the previous release filter by the index of all calls (calls_newest) for as long as they run.
drop index concurrently if exists calls_by_agent;
drop index concurrently if exists calls_by_api_key;
drop index concurrently if exists calls_by_engine;
drop index concurrently if exists calls_by_status;
-- What a conversation adds to its call changes no index, and stays on the page where there is room.
alter table calls set (fillfactor = 90);
