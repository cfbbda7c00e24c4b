-- The language that the callee spoke, where it is another one than the agent's: an ISO 639-1 code.
alter table calls add column callee_language text;

drop trigger conversation_needs_answer on calls;
create trigger conversation_needs_answer before insert or update of collected, latency, answered_by, callee_language on calls
  for each row when (
    new.answered_at is null
    and not (new.collected is null and new.latency is null and new.answered_by is null and new.callee_language is null)
  )
  execute function guard_conversation();
