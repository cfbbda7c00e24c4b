-- The tables that hold most of what is kept about calls are split by month, so that old months can be dropped as a whole. Ids of calls begin with
-- their time, so the range of a month is a range of ids. This migration prepares it; the next one does it, one table at a time.

-- What every id made at this moment begins with. Ids from before sort before it, and later ones after it.
create function id_at(prefix text, moment timestamptz) returns text language sql immutable parallel safe as $$
  select prefix || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * place)) & 31)::int + 1, 1), '' order by place desc)
  from (select floor(extract(epoch from moment) * 1000)::bigint as ms) t, generate_series(0, 9) place
$$;

-- The moment at which an id was made, or null where the text is not an id.
create function moment_of_id(id text) returns timestamptz language sql immutable parallel safe as $$
  select case when id ~ '^[a-z]+_[0-9a-hjkmnp-tv-z]{10}' then (
    select to_timestamp(sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(split_part(id, '_', 2), place, 1)) - 1)::bigint << (5 * (10 - place))) / 1000)
    from generate_series(1, 10) place
  ) end
$$;

-- The partitions of the tables that are split by month. The first has no lower bound (''), the default partition has no bounds at all (null).
create function month_partitions() returns table (parent text, name text, lower_id text, upper_id text) language sql stable as $$
  select p.relname::text, c.relname::text,
    case when b.bound like 'FOR VALUES FROM (MINVALUE)%' then '' else substring(b.bound from 'FROM \(''([^'']+)''\)') end,
    substring(b.bound from 'TO \(''([^'']+)''\)')
  from pg_partitioned_table t
  join pg_class p on p.oid = t.partrelid and p.relnamespace = 'public'::regnamespace
  join pg_inherits i on i.inhparent = p.oid
  join pg_class c on c.oid = i.inhrelid
  cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
$$;

-- Adds the partition of the month in which a moment lies, with the rows of that month that are in the default partition. False where there is
-- one for that moment already, or another process adds it right now.
create function add_month(table_name text, moment timestamptz) returns boolean language plpgsql as $$
declare
  month timestamp := date_trunc('month', moment at time zone 'utc');
  from_id text := id_at('call', month at time zone 'utc');
  to_id text := id_at('call', (month + interval '1 month') at time zone 'utc');
  child text := table_name || to_char(month, '_YYYY_MM');
  spare text := table_name || '_default';
begin
  if not pg_try_advisory_xact_lock(7275540) then return false; end if;
  perform 1 from month_partitions() p where p.parent = table_name and p.lower_id < to_id and p.upper_id > from_id;
  if found then return false; end if;
  execute format('create table %I (like %I including defaults including constraints including storage)', child, table_name);
  -- Rows that belong to the new partition must not be in the default one when it is attached, nor be added meanwhile.
  execute format('lock table %I in access exclusive mode', spare);
  perform set_config('parley.removing_calls', 'on', true);
  execute format('with moved as (delete from %I where call_id >= %L and call_id < %L returning *) insert into %I select * from moved',
    spare, from_id, to_id, child);
  perform set_config('parley.removing_calls', 'off', true);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', table_name, child, from_id, to_id);
  return true;
end $$;

-- Months of which every call will have been removed soon. Their rows in tables that are split by month are not deleted: the month is dropped.
create table leaving_months (
  lower_id text primary key,
  upper_id text not null,
  since timestamptz(3) not null default clock_timestamp()
);

create or replace function remove_calls(call_ids text[]) returns setof text language plpgsql as $$
declare
  gone text[];
  -- Those of them whose rows do not leave with their month.
  single text[];
begin
  select coalesce(array_agg(id), '{}') into gone from (
    select id from calls where id = any (call_ids) and state = 'ended' for update skip locked
  ) ended;
  single := array(
    select id from unnest(gone) id where not exists (select 1 from leaving_months m where id >= m.lower_id and id < m.upper_id)
  );
  perform set_config('parley.removing_calls', 'on', true);
  delete from webhook_deliveries where event_id in (select id from outbox where call_id = any (gone));
  delete from outbox where call_id = any (gone);
  update scenario_results set call_id = null where call_id = any (gone);
  delete from transcript_items where call_id = any (single);
  delete from transcript_words where call_id = any (gone);
  delete from transcript_passes where call_id = any (gone);
  delete from recording_peaks where call_id = any (single);
  delete from call_attempts where call_id = any (gone);
  delete from call_runs where call_id = any (gone);
  delete from call_events where call_id = any (single);
  delete from calls where id = any (gone);
  perform set_config('parley.removing_calls', 'off', true);
  return query select unnest(gone);
end $$;

-- Foreign keys would not allow a month to be dropped by itself. What they did is done by triggers: nothing is said in a call that does not exist,
-- and the revision of an item goes with the item.
create or replace function guard_transcript() returns trigger language plpgsql as $$
declare unanswered text;
begin
  -- A backup may have items of a month that was leaving.
  if current_setting('parley.restoring', true) = 'on' then return null; end if;
  select a.call_id into unanswered from added a left join calls c on c.id = a.call_id where c.answered_at is null limit 1;
  if unanswered is not null then
    raise exception 'call % was never answered and can have no transcript', unanswered
      using errcode = 'check_violation', constraint = 'transcript_needs_answer';
  end if;
  return null;
end $$;

create function forget_revisions_of_items() returns trigger language plpgsql as $$
declare call record;
begin
  -- One call at a time, so that only the partition of that call is read.
  for call in select g.call_id, array_agg(g.ordinal) as ordinals from gone g group by g.call_id loop
    delete from transcript_revisions r where r.call_id = call.call_id and r.ordinal = any (call.ordinals);
  end loop;
  return null;
end $$;
create trigger transcript_revisions_go_with_items after delete on transcript_items
  referencing old table as gone for each statement execute function forget_revisions_of_items();

-- The rest is used by the next migration and removed by it.

-- The present table becomes the first partition, with everything up to a bound so far ahead that processes of the previous release never reach it
-- while the bound is a condition on their table.
create function bound_first_month(table_name text) returns void language plpgsql as $$
begin
  if exists (select 1 from pg_constraint where conname = table_name || '_first_month')
    or exists (select 1 from month_partitions() p where p.parent = table_name) then return; end if;
  execute format('alter table %I add constraint %I check (call_id < %L) not valid', table_name, table_name || '_first_month',
    id_at('call', (date_trunc('month', now() at time zone 'utc') + interval '2 months') at time zone 'utc'));
end $$;

-- Reads the whole table, which goes on being read and written.
create function check_first_month(table_name text) returns void language plpgsql as $$
begin
  if not exists (select 1 from month_partitions() p where p.parent = table_name) then
    execute format('alter table %I validate constraint %I', table_name, table_name || '_first_month');
  end if;
end $$;

-- Puts a partitioned table in the place of the present one, which becomes its first partition. No row is read: the bound has been checked.
create function split_by_month(table_name text) returns void language plpgsql as $$
declare
  first_name text := table_name || '_first';
  bound_name text := table_name || '_first_month';
  bound text;
  key text;
  indexes text[];
  triggers text[];
  each record;
begin
  if exists (select 1 from month_partitions() p where p.parent = table_name) then return; end if;
  select substring(pg_get_constraintdef(oid) from '''([^'']+)''') into strict bound from pg_constraint where conname = bound_name;
  execute format('lock table %I in access exclusive mode', table_name);
  for each in select conname from pg_constraint where conrelid = table_name::regclass and contype = 'f' loop
    execute format('alter table %I drop constraint %I', table_name, each.conname);
  end loop;
  select pg_get_constraintdef(oid) into strict key from pg_constraint where conrelid = table_name::regclass and contype = 'p';
  indexes := array(select pg_get_indexdef(indexrelid) from pg_index where indrelid = table_name::regclass and not indisprimary);
  triggers := array(select pg_get_triggerdef(oid) from pg_trigger where tgrelid = table_name::regclass and not tgisinternal);
  for each in select tgname from pg_trigger where tgrelid = table_name::regclass and not tgisinternal loop
    execute format('drop trigger %I on %I', each.tgname, table_name);
  end loop;
  for each in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = table_name::regclass loop
    execute format('alter index %I rename to %I', each.relname, each.relname || '_first');
  end loop;
  execute format('alter table %I rename to %I', table_name, first_name);
  execute format('create table %I (like %I including defaults including constraints including storage including comments) partition by range (call_id)',
    table_name, first_name);
  execute format('alter table %I drop constraint %I', table_name, bound_name);
  execute format('alter table %I add constraint %I %s', table_name, table_name || '_pkey', key);
  for each in select unnest(indexes) as definition loop execute each.definition; end loop;
  for each in select unnest(triggers) as definition loop execute each.definition; end loop;
  execute format('create table %I partition of %I default', table_name || '_default', table_name);
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', table_name, first_name, bound);
  execute format('alter table %I drop constraint %I', first_name, bound_name);
  perform add_month(table_name, moment_of_id(bound));
end $$;
