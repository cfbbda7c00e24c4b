import pg from "pg";

export interface TableColumns {
  readonly name: string;
  readonly columns: readonly string[];
}

// COPY writes values as these settings say, so both ways must agree on them whatever the server's own are.
const SAME_TEXT = [
  "set local datestyle = 'ISO, YMD'",
  "set local intervalstyle = 'postgres'",
  "set local timezone = 'UTC'",
  "set local bytea_output = 'hex'",
  "set local extra_float_digits = 1",
  "set local client_encoding = 'UTF8'",
  "set local statement_timeout = 0",
  "set local idle_in_transaction_session_timeout = 0",
  // Without this a big table may be read from its middle, and two backups of the same rows would differ.
  "set local synchronize_seqscans = off",
];

// The rows of a partition that is dropped are gone from older snapshots too.
const PARTITIONED = `
  select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'p' and not relispartition order by relname`;

/** Opens a transaction with one snapshot of the database, even while the service writes. Returns its time. */
export async function beginSnapshot(client: pg.Client): Promise<Date> {
  const { rows: partitioned } = await client.query<{ name: string }>(PARTITIONED);
  await client.query("begin transaction isolation level repeatable read, read only");
  for (const setting of SAME_TEXT) await client.query(setting);
  for (const { name } of partitioned) {
    await client.query(`lock table public.${pg.escapeIdentifier(name)} in access share mode`);
  }
  const { rows } = await client.query<{ now: Date }>("select now() as now");
  return rows[0]?.now ?? new Date();
}

/** Opens the transaction of a restore. The ledger's balances are copied as they were instead of being worked out again. */
export async function beginRestore(client: pg.Client): Promise<void> {
  await client.query("begin");
  for (const setting of SAME_TEXT) await client.query(setting);
  await client.query("set local lock_timeout = '10s'");
  await client.query("set local parley.restoring = 'on'");
}

export async function readMigrationNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("select name from parley_migrations order by name");
  return rows.map((row) => row.name);
}

// Unlogged tables hold what may be lost in a crash, so they are not worth keeping either. A table that is split into
// partitions is kept as one: the database it is restored to may have others.
const TABLES = `
  select c.relname as name,
    array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
    and c.relname <> 'parley_migrations'
    and not exists (select 1 from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
  group by c.relname`;

const FOREIGN_KEYS = `
  select k.conname as name, t.relname as table, r.relname as references, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class t on t.oid = k.conrelid
  join pg_class r on r.oid = k.confrelid
  where k.contype = 'f' and k.conparentid = 0 and t.relnamespace = 'public'::regnamespace and r.relnamespace = 'public'::regnamespace
  order by t.relname, k.conname`;

export async function readForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(FOREIGN_KEYS);
  return rows;
}

/** Every table that holds something worth keeping, each after those it refers to. */
export async function readTables(client: pg.Client): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(TABLES);
  const keys = await readForeignKeys(client);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const order = orderTables([...byName.keys()], keys);
  return order.flatMap((name) => byName.get(name) ?? []);
}

export function copyOut(table: TableColumns): string {
  // A table that is split into partitions can only be copied by a query.
  return `copy (select ${columnsOf(table)} from ${nameOf(table)}) to stdout`;
}

export function copyIn(table: TableColumns): string {
  return `copy ${nameOf(table)} (${columnsOf(table)}) from stdin`;
}

/** Keeps everyone else out until the transaction ends, and says whether there is anything to lose. */
export async function lockAndCountAccounts(client: pg.Client): Promise<number> {
  await client.query("lock table accounts in access exclusive mode");
  const { rows } = await client.query<{ n: number }>("select count(*)::int as n from accounts");
  return rows[0]?.n ?? 0;
}

export async function emptyTables(client: pg.Client, tables: readonly TableColumns[]): Promise<void> {
  await client.query(`truncate table ${tables.map(nameOf).join(", ")}`);
}

/** How many connections of a running service there are. A role that may not see others' connections counts none. */
export async function countServiceConnections(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and application_name in ('parley', 'parley-listen')`,
  );
  return rows[0]?.n ?? 0;
}

/**
 * Takes the foreign keys away until all rows are there: tables that refer to each other can then be filled in any order,
 * and checking whole tables afterwards is much faster than looking up row by row.
 */
export async function dropKeys(client: pg.Client, keys: readonly ForeignKey[]): Promise<void> {
  for (const key of keys) await client.query(`${alterTable(key)} drop constraint ${pg.escapeIdentifier(key.name)}`);
}

/** Puts them back as they were. A row that refers to nothing makes it fail. */
export async function addKeys(client: pg.Client, keys: readonly ForeignKey[]): Promise<void> {
  for (const key of keys) {
    await client.query(`${alterTable(key)} add constraint ${pg.escapeIdentifier(key.name)} ${key.definition}`);
  }
}

/** The planner knows nothing of tables that were just filled. */
export async function analyzeTables(client: pg.Client, tables: readonly TableColumns[]): Promise<void> {
  await client.query(`analyze ${tables.map(nameOf).join(", ")}`);
}

export interface UnfinishedCalls {
  readonly dialed: number;
  readonly waiting: number;
}

/** Calls that had not ended: those that were dialed, and those that were not. */
export async function countUnfinishedCalls(client: pg.Client): Promise<UnfinishedCalls> {
  const { rows } = await client.query<UnfinishedCalls>(
    `select count(*) filter (where state in ('dialing', 'ringing', 'talking'))::int as dialed,
       count(*) filter (where state in ('queued', 'claimed'))::int as waiting
     from calls where state <> 'ended'`,
  );
  return rows[0] ?? { dialed: 0, waiting: 0 };
}

const alterTable = (key: ForeignKey) => `alter table public.${pg.escapeIdentifier(key.table)}`;
const nameOf = (table: TableColumns) => `public.${pg.escapeIdentifier(table.name)}`;
const columnsOf = (table: TableColumns) => table.columns.map((column) => pg.escapeIdentifier(column)).join(", ");

/** A foreign key: `table` refers to `references`. */
export interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly references: string;
  /** As PostgreSQL spells it. */
  readonly definition: string;
}

/**
 * Puts every table after those it refers to, as far as tables do not refer to each other in a circle, so that a person
 * with nothing but the file could fill them in that order.
 */
export function orderTables(
  tables: readonly string[],
  keys: readonly Pick<ForeignKey, "table" | "references">[],
): string[] {
  const order: string[] = [];
  const seen = new Set<string>();
  const visit = (table: string): void => {
    if (seen.has(table)) return;
    seen.add(table);
    const referred = keys.filter((key) => key.table === table).map((key) => key.references);
    for (const next of referred.sort()) visit(next);
    order.push(table);
  };
  for (const table of [...tables].sort()) visit(table);
  return order;
}
