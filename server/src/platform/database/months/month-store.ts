import { type Database, run, type Tx } from "../database.ts";

/** A month of the tables that are split by month: the range of ids of calls. The first one also has all before it. */
export interface Month {
  /** Ids from this one on; empty for the first month. */
  readonly lowerId: string;
  /** Ids before this one. */
  readonly upperId: string;
  /** The tables that have a partition of this month. */
  readonly tables: readonly string[];
}

/** The tables that are split by month. */
export async function readSplitTables(db: Database): Promise<string[]> {
  const rows = await run<{ parent: string }>(db, "select distinct parent from month_partitions() order by parent");
  return rows.map(({ parent }) => parent);
}

/** The months that ended before a moment, oldest first. */
export async function readMonthsBefore(db: Database, moment: Date): Promise<Month[]> {
  return run<Month>(
    db,
    `select lower_id as "lowerId", upper_id as "upperId", array_agg(parent order by parent) as tables
     from month_partitions() where upper_id <= id_at('call', $1::timestamptz)
     group by lower_id, upper_id order by upper_id`,
    [moment],
  );
}

export interface MissingMonth {
  readonly table: string;
  readonly moment: Date;
}

/** The moments for which a table has no partition but the default one. */
export async function readMissingMonths(db: Database, moments: readonly Date[]): Promise<MissingMonth[]> {
  return run<MissingMonth>(
    db,
    `with partitions as (select * from month_partitions())
     select t.parent as table, m.moment from (select distinct parent from partitions) t
     cross join unnest($1::timestamptz[]) m (moment) cross join lateral (select id_at('call', m.moment) as id) i
     where not exists (select 1 from partitions p where p.parent = t.parent and p.lower_id <= i.id and p.upper_id > i.id)
     order by t.parent, m.moment`,
    [moments],
  );
}

/** False where the table has a partition for that moment, or another process adds it right now. */
export async function addMonth(tx: Tx, table: string, moment: Date): Promise<boolean> {
  const [row] = await run<{ added: boolean }>(tx, "select add_month($1, $2) as added", [table, moment]);
  return row?.added ?? false;
}

/** When the call of the oldest row was created that no month has, among calls created between two moments. */
export async function readOldestOutside(db: Database, table: string, from: Date, before: Date): Promise<Date | null> {
  const [row] = await run<{ moment: Date | null }>(
    db,
    `select moment_of_id(min(call_id)) as moment from ${table}_default
     where call_id >= id_at('call', $1::timestamptz) and call_id < id_at('call', $2::timestamptz)`,
    [from, before],
  );
  return row?.moment ?? null;
}

/** Enough to be noticed; counting all of them could take long. */
const OUTSIDE_COUNTED_MAX = 1000;

/** How many rows no month has, up to 1,000 of each table. */
export async function countRowsOutside(db: Database): Promise<number> {
  const counts = (await readSplitTables(db)).map(
    (table) => `(select count(*) from (select 1 from ${table}_default limit ${OUTSIDE_COUNTED_MAX}) t)`,
  );
  const [row] = await run<{ n: number }>(db, `select (${["0", ...counts].join(" + ")})::int as n`);
  return row?.n ?? 0;
}

/** Takes the partitions of a month out of their tables and drops them. Other processes that change partitions wait. */
export async function dropPartitions(tx: Tx, { lowerId, upperId }: Month): Promise<number> {
  await lockMonths(tx);
  const partitions = await run<{ parent: string; name: string }>(
    tx,
    "select parent, name from month_partitions() where lower_id = $1 and upper_id = $2 order by parent",
    [lowerId, upperId],
  );
  for (const { parent, name } of partitions) {
    await run(tx, `alter table ${parent} detach partition ${name}`);
    await run(tx, `drop table ${name}`);
  }
  return partitions.length;
}

/** The lock that the function `add_month` takes as well. */
async function lockMonths(tx: Tx): Promise<void> {
  await run(tx, "select pg_advisory_xact_lock(7275540)");
}
