/**
 * The functions of Citus by which tables are handed over, for a PostgreSQL without it. They move nothing, but refuse what Citus
 * refuses, at once and again after every later change of the schema.
 */
export const FAKE_CITUS = `
create table fake_citus_tables (name regclass primary key, split_by text);

create function create_reference_table(name regclass) returns void language plpgsql as $$ begin
  insert into fake_citus_tables values (name, null);
  perform fake_citus_check_triggers(name), fake_citus_check(name);
end $$;

create function create_distributed_table(name regclass, split_by text, colocate_with text default 'default') returns void language plpgsql as $$ begin
  if exists (select 1 from fake_citus_tables t where t.split_by is not null)
    and not exists (select 1 from fake_citus_tables t where t.split_by is not null and t.name::text = colocate_with) then
    raise exception '% would not be colocated', name;
  end if;
  insert into fake_citus_tables values (name, split_by);
  perform fake_citus_check_triggers(name), fake_citus_check(name);
end $$;

create function fake_citus_check_triggers(checked regclass) returns void language plpgsql as $$ begin
  if exists (select 1 from pg_trigger where tgrelid = checked and not tgisinternal)
    and current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on' then
    raise exception 'cannot distribute relation "%" because it has triggers', checked;
  end if;
end $$;

create function fake_citus_check(checked regclass) returns void language plpgsql as $$
declare
  splitter text;
  wrong text;
begin
  select t.split_by into splitter from fake_citus_tables t where t.name = checked;
  if not found then return; end if;

  select t.tgname into wrong from pg_trigger t where t.tgrelid = checked and not t.tgisinternal and t.tgtype & 1 = 0 limit 1;
  if wrong is not null then raise exception 'trigger % of % is not for each row', wrong, checked; end if;

  select attname into wrong from pg_attribute where attrelid = checked and attidentity <> '' and atttypid <> 'bigint'::regtype limit 1;
  if wrong is not null then raise exception 'identity column %.% is not a bigint', checked, wrong; end if;

  if splitter is not null then
    if not exists (select 1 from pg_attribute where attrelid = checked and attname = splitter and attnotnull) then
      raise exception 'column "%" of relation "%" does not exist or may be null', splitter, checked;
    end if;
    -- The table and its partitions.
    select x.indexrelid::regclass::text into wrong
    from (select checked as relid union select relid from pg_partition_tree(checked)) r join pg_index x on x.indrelid = r.relid
    where (x.indisunique or x.indisexclusion)
      and not exists (select 1 from pg_attribute a where a.attrelid = x.indrelid and a.attname = splitter and a.attnum = any (x.indkey[:x.indnkeyatts - 1]))
    limit 1;
    if wrong is not null then
      raise exception 'cannot create constraint on "%": % does not contain %', checked, wrong, splitter;
    end if;
  elsif exists (select 1 from pg_partitioned_table where partrelid = checked) then
    raise exception 'reference table "%" is partitioned', checked;
  end if;

  -- Foreign keys of this table, and those of others that refer to it.
  select k.conname || ' of ' || k.conrelid::regclass into wrong
  from pg_constraint k
  left join fake_citus_tables f on f.name = k.conrelid
  left join fake_citus_tables t on t.name = k.confrelid
  where k.contype = 'f' and k.conparentid = 0 and checked in (k.conrelid, k.confrelid) and case
    -- A table of the coordinator may refer to reference tables only.
    when f.name is null then t.split_by is not null
    when t.name is null then true
    when f.split_by is null then t.split_by is not null
    when t.split_by is null then k.confdeltype in ('n', 'd') and by_column(k.conrelid, f.split_by) = any (k.conkey)
    else coalesce(array_position(k.conkey, by_column(k.conrelid, f.split_by)) <> array_position(k.confkey, by_column(k.confrelid, t.split_by)), true)
      or k.confdeltype in ('n', 'd') or k.confupdtype in ('n', 'd', 'c')
  end limit 1;
  if wrong is not null then raise exception 'cannot create foreign key constraint %', wrong; end if;
end $$;

create function by_column(of regclass, named text) returns int2 language sql as 'select attnum from pg_attribute where attrelid = of and attname = named';

create function fake_citus_watch() returns event_trigger language plpgsql as $$
declare changed regclass;
begin
  for changed in
    select coalesce((select indrelid from pg_index where indexrelid = c.objid), (select tgrelid from pg_trigger where oid = c.objid), c.objid)
    from pg_event_trigger_ddl_commands() c
  loop
    perform fake_citus_check(t.name) from fake_citus_tables t
    where t.name = changed or t.name in (select confrelid from pg_constraint where conrelid = changed);
    if tg_tag = 'CREATE TRIGGER' then
      perform fake_citus_check_triggers(t.name) from fake_citus_tables t where t.name = changed;
    end if;
  end loop;
end $$;
create event trigger fake_citus_watches on ddl_command_end when tag in ('ALTER TABLE', 'CREATE TRIGGER', 'CREATE INDEX')
  execute function fake_citus_watch();
`;
