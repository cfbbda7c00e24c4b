-- A version with sub-flows keeps them written out, so that calls never depend on other agents. Null without sub-flows.
alter table agent_versions add column expanded_flow jsonb;
