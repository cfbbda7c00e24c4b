-- The network a call goes out on: `simulated`, or the name of the trunk. Null while that is not known.
-- A call that is not charged shows what it would have cost, and moves no credit.
alter table calls
  add column network text,
  add column is_charged boolean not null default true;

update calls c set
  is_charged = c.mode = 'live',
  network = case
    when c.mode = 'test' or c.carrier->>'name' = 'simulated' then 'simulated'
    when c.carrier is null and c.gate->'reasons' ? 'simulated_network' then 'simulated'
    else (
      select t.name from call_attempts a join trunks t on t.id = a.trunk_id
      where a.call_id = c.id and a.party = 'callee' order by a.ordinal desc limit 1
    )
  end;

-- Usage counts what was charged.
create or replace function count_ended_call() returns trigger language plpgsql as $$
begin
  insert into usage_quarters as u
  select c.account_id, c.mode, quarter_of(c.created_at), c.end_reason, 1, (c.answered_at is not null)::int,
    (c.status = 'failed')::int, coalesce(c.duration_seconds, 0), case when c.is_charged then coalesce(c.cost_micros, 0) else 0 end
  from calls c where c.id = new.id
  on conflict (account_id, mode, quarter_at, end_reason) do update set
    calls = u.calls + 1, answered = u.answered + excluded.answered, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, cost_micros = u.cost_micros + excluded.cost_micros;
  insert into usage_replies as u
  select new.account_id, new.mode, quarter_of(new.created_at), reply_bin((t.item->'timing'->>'totalMs')::numeric) as bin, count(*)
  from transcript_items t
  where t.call_id = new.id and t.type = 'speech' and t.item->'timing'->>'totalMs' is not null
  group by bin order by bin
  on conflict (account_id, mode, quarter_at, bin) do update set replies = u.replies + excluded.replies;
  return null;
end $$;
