-- A queued call of an account without a lane is refused by the foreign key, instead of looked for without end.
create or replace function note_waiting_call() returns trigger language plpgsql as $$
declare known waiting_lanes;
begin
  loop
    select * into known from waiting_lanes w where w.account_id = new.account_id and w.mode = new.mode for key share;
    exit when found;
    insert into waiting_lanes (account_id, mode, is_ready, due_at, served_at)
    values (new.account_id, new.mode, new.due_at <= clock_timestamp(), new.due_at, coalesce(
      (select l.last_served_at from dispatch_lanes l where l.account_id = new.account_id and l.mode = new.mode), '-infinity'
    ))
    on conflict do nothing;
    if found then return null; end if;
  end loop;
  if not known.is_ready and known.due_at > new.due_at then
    update waiting_lanes w set due_at = new.due_at
    where w.account_id = new.account_id and w.mode = new.mode and w.due_at > new.due_at;
  end if;
  return null;
end $$;
