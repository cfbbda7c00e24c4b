--! no-transaction
-- The calls behind a figure of a breakdown, by the same expressions as count_call_by_agent. Without these, a rare value reads
-- every call of the account. An hour of the day needs none: a page of it is full after some hundred calls. Versions and outcomes
-- are asked of ended calls, so that only the last change of a call is written to their indexes.
drop index concurrently if exists calls_by_api_key;
create index concurrently calls_by_api_key
  on calls (account_id, mode, (coalesce(api_key_id, '')), created_at desc, id desc);
drop index concurrently if exists calls_by_agent_version;
create index concurrently calls_by_agent_version
  on calls (account_id, mode, agent_id, (greatest(agent_version, 0)), created_at desc, id desc) where state = 'ended';
drop index concurrently if exists calls_by_outcome;
create index concurrently calls_by_outcome
  on calls (account_id, mode, (left(coalesce(analysis->>'outcome', end_reason), 64)), created_at desc, id desc) where state = 'ended';
