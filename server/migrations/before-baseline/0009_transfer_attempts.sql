-- Whom an attempt was to reach: the callee of the call, or somebody the callee is being connected with.
alter table call_attempts add column party text not null default 'callee' check (party in ('callee', 'transfer'));
