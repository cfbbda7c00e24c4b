-- What calls amounted to, by quarters of an hour, so that months of them can be shown without reading a single call.
-- Every time zone of today differs from UTC by whole quarters, so that any day and any hour is made of them.

create table usage_quarters (
  account_id text not null references accounts,
  mode text not null check (mode in ('test', 'live')),
  quarter_at timestamptz(3) not null,
  end_reason text not null,
  calls integer not null,
  answered integer not null,
  failed integer not null,
  talk_seconds bigint not null,
  cost_micros bigint not null,
  primary key (account_id, mode, quarter_at, end_reason)
);

-- How long callees waited for replies: how many replies took about 1.05 ^ bin milliseconds.
create table usage_replies (
  account_id text not null references accounts,
  mode text not null check (mode in ('test', 'live')),
  quarter_at timestamptz(3) not null,
  bin integer not null,
  replies integer not null,
  primary key (account_id, mode, quarter_at, bin)
);

create function quarter_of(moment timestamptz) returns timestamptz language sql immutable parallel safe as
  $$ select date_bin('15 minutes', moment, timestamptz '2000-01-01 00:00:00+00') $$;

create function reply_bin(ms numeric) returns integer language sql immutable parallel safe as
  $$ select round(ln(greatest(ms, 1)) / ln(1.05))::integer $$;

-- Runs when the transaction that ended the call commits, after everything else it locks: the rows that many calls share
-- are held for the length of a commit. A quarter comes before its bins and these in their order, so nobody waits in a circle.
create function count_ended_call() returns trigger language plpgsql as $$
begin
  insert into usage_quarters as u
  select c.account_id, c.mode, quarter_of(c.created_at), c.end_reason, 1, (c.answered_at is not null)::int,
    (c.status = 'failed')::int, coalesce(c.duration_seconds, 0), coalesce(c.cost_micros, 0)
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
create constraint trigger calls_count_when_ended after update of state on calls
  deferrable initially deferred
  for each row when (new.state = 'ended' and old.state <> 'ended') execute function count_ended_call();

insert into usage_quarters
select account_id, mode, quarter_of(created_at), end_reason, count(*), count(answered_at), count(*) filter (where status = 'failed'),
  coalesce(sum(duration_seconds), 0), coalesce(sum(cost_micros), 0)
from calls where state = 'ended' group by 1, 2, 3, 4;

insert into usage_replies
select c.account_id, c.mode, quarter_of(c.created_at), reply_bin((t.item->'timing'->>'totalMs')::numeric) as bin, count(*)
from transcript_items t join calls c on c.id = t.call_id
where c.state = 'ended' and t.type = 'speech' and t.item->'timing'->>'totalMs' is not null
group by 1, 2, 3, 4;
