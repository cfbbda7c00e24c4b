-- Nothing of a conversation exists for a call that nobody answered. Earlier versions began to walk the flow while the
-- phone rang and wrote down its first steps; those steps were for nobody and are taken out.

delete from transcript_words w using calls c where c.id = w.call_id and c.answered_at is null;
delete from transcript_items i using calls c where c.id = i.call_id and c.answered_at is null;
update calls set collected = null, latency = null, answered_by = null
where answered_at is null and (collected is not null or latency is not null or answered_by is not null);

create function guard_conversation() returns trigger language plpgsql as $$
begin
  raise exception 'call % was never answered and can have no conversation', new.id
    using errcode = 'check_violation', constraint = 'conversation_needs_answer';
end $$;
create trigger conversation_needs_answer before insert or update of collected, latency, answered_by on calls
  for each row when (new.answered_at is null and not (new.collected is null and new.latency is null and new.answered_by is null))
  execute function guard_conversation();

create function guard_transcript() returns trigger language plpgsql as $$
declare unanswered text;
begin
  select c.id into unanswered from added a join calls c on c.id = a.call_id where c.answered_at is null limit 1;
  if unanswered is not null then
    raise exception 'call % was never answered and can have no transcript', unanswered
      using errcode = 'check_violation', constraint = 'transcript_needs_answer';
  end if;
  return null;
end $$;
create trigger transcript_needs_answer after insert on transcript_items
  referencing new table as added for each statement execute function guard_transcript();
