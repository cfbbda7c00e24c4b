--! no-transaction
drop index concurrently if exists calls_follow_up_once;
create unique index concurrently calls_follow_up_once on calls (follows_call_id) where follows_call_id is not null;
