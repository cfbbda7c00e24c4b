import { finished } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { createClient } from "./connecting/connect.ts";
import { isSessionShared } from "./connecting/detect-pooler.ts";
import {
  type Baseline,
  checksumOf,
  type Migration,
  type MigrationSet,
  presentMigrationName,
  readableSince,
  readMigrations,
  runsOutsideTransaction,
  splitStatements,
} from "./migrations.ts";

// Any number that is not used by another of our locks.
const LOCK_ID = 7_275_539;
const LOCK_RETRY_MS = 100;
// A server that never answers must not keep a start waiting without a message.
const CONNECT_WITHIN_MS = 10_000;

const REPORTED_AFTER_TRIES = 20;

/** The session of PostgreSQL that migrates, as far as it can be seen. */
interface LockHolder {
  readonly pid: number;
  readonly applicationName: string;
  readonly address: string | null;
  readonly connectedAt: Date;
}

interface MigrateOptions {
  /** Ends the waiting for another process that migrates. */
  readonly signal?: AbortSignal;
  /** Called once if another process migrates for longer than a moment. */
  onWaiting?(holder: LockHolder | null): void;
  /** Called if a newer release has migrated the database already, in ways that this one can work with. */
  onNewerSchema?(names: readonly string[]): void;
}

/** The database was reached through a pooler in which one client may release or keep the locks of another. */
export class SharedSessions extends Error {
  override readonly name = "SharedSessions";

  constructor() {
    super("sessions are shared between clients");
  }
}

/**
 * Brings the schema up to date, forward only: an empty database from the baseline, any other by the migrations it lacks.
 * Processes that start together wait for the one that does it. Returns the names of what was applied.
 */
export async function migrate(
  url: string,
  set?: MigrationSet,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const { baseline, numbered } = set ?? (await readMigrations());
  const client = await open(url);
  try {
    if (await isSessionShared(client, () => open(url))) throw new SharedSessions();
    await lock(client, options);
    await refuseOldServer(client);
    const done = await readApplied(client);
    const newer = await refuseUnreadableSchema(client, numbered);
    if (newer.length > 0) options.onNewerSchema?.(newer);
    refuseChanged(done, numbered);
    await storeWhatIsMissing(client, done, numbered);
    const applied: string[] = [];
    const present = new Set(done.keys());
    if (baseline && done.size === 0) {
      await applyBaseline(client, baseline, numbered);
      applied.push("baseline");
      for (const name of baseline.standsFor) present.add(name);
    }
    for (const migration of numbered.filter(({ name }) => !present.has(name))) {
      await (runsOutsideTransaction(migration) ? applyOutsideTransaction : apply)(client, migration, numbered);
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

async function open(url: string): Promise<pg.Client> {
  const client = createClient(url, {
    application_name: "parley-migrate",
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  // A connection that breaks between two statements is reported here; the next statement reports it as well.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/**
 * Asks again and again instead of waiting inside one statement: `create index concurrently` waits for every statement that
 * is under way, and two processes that wait for each other are a deadlock.
 */
async function lock(client: pg.Client, { signal, onWaiting }: MigrateOptions): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [LOCK_ID]);
    if (rows[0]?.taken) return;
    if (tries === REPORTED_AFTER_TRIES) onWaiting?.(await findHolder(client));
    await delay(LOCK_RETRY_MS, undefined, { signal });
  }
}

async function findHolder(client: pg.Client): Promise<LockHolder | null> {
  const { rows } = await client.query<LockHolder>(
    `select a.pid, a.application_name as "applicationName", a.client_addr::text as address, a.backend_start as "connectedAt"
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1 and l.database =
       (select oid from pg_database where datname = current_database())`,
    [LOCK_ID],
  );
  return rows[0] ?? null;
}

/** The checksum of each migration that the database has, or null where it was applied before checksums were stored. */
type Applied = ReadonlyMap<string, string | null>;

async function readApplied(client: pg.Client): Promise<Applied> {
  await client.query(
    "create table if not exists parley_migrations (name text primary key, applied_at timestamptz not null default now())",
  );
  // `baseline` is the checksum of the baseline that stood for a migration, or null where the migration itself was run.
  await client.query(
    "alter table parley_migrations add column if not exists sha256 text, add column if not exists baseline text, " +
      "add column if not exists readable_since text",
  );
  const { rows } = await client.query<{ name: string; sha256: string | null }>(
    "select name, sha256 from parley_migrations",
  );
  for (const { name } of rows) {
    const present = presentMigrationName(name);
    if (present !== name) await client.query("update parley_migrations set name = $2 where name = $1", [name, present]);
  }
  return new Map(rows.map(({ name, sha256 }) => [presentMigrationName(name), sha256]));
}

/**
 * From now on a change to what was applied without a checksum is noticed as well, and this release can be started again
 * beside the next one.
 */
async function storeWhatIsMissing(client: pg.Client, done: Applied, numbered: readonly Migration[]): Promise<void> {
  for (const migration of numbered.filter(({ name }) => done.get(name) === null)) {
    await client.query("update parley_migrations set sha256 = $2 where name = $1", [
      migration.name,
      checksumOf(migration.sql),
    ]);
  }
  await client.query(
    `update parley_migrations m set readable_since = n.readable_since
     from unnest($1::text[], $2::text[]) n (name, readable_since) where m.name = n.name and m.readable_since is null`,
    [numbered.map(({ name }) => name), numbered.map((migration) => readableSince(migration, numbered))],
  );
}

async function apply(client: pg.Client, migration: Migration, numbered: readonly Migration[]): Promise<void> {
  await inTransaction(client, `migration ${migration.name}`, async () => {
    await client.query(migration.sql);
    await record(client, [migration], numbered);
  });
}

/** All or nothing, like a migration. What it stands for is recorded as applied, as if each had been run. */
async function applyBaseline(client: pg.Client, baseline: Baseline, numbered: readonly Migration[]): Promise<void> {
  const { files, data, standsFor } = baseline;
  const checksum = checksumOf([...files.map(({ sql }) => sql), ...data.map(({ csv }) => csv)].join("\n"));
  await inTransaction(client, "the baseline of the schema", async () => {
    for (const { sql } of files) await client.query(sql);
    for (const { table, csv } of data) await copyRows(client, table, csv);
    await record(
      client,
      numbered.filter(({ name }) => standsFor.includes(name)),
      numbered,
      checksum,
    );
  });
}

async function copyRows(client: pg.Client, table: string, csv: string): Promise<void> {
  const columns = csv.slice(0, csv.indexOf("\n"));
  const copy = client.query(copyFrom(`copy ${table} (${columns}) from stdin with (format csv, header true)`));
  copy.end(csv);
  await finished(copy);
}

/** Processes of the previous release go on working, and lock the same tables in an order of their own. */
const DEADLOCK = "40P01";
const DEADLOCKS_MAX = 10;

/** A transaction that PostgreSQL ends to resolve a deadlock leaves nothing behind, and is tried again. */
async function inTransaction(client: pg.Client, what: string, work: () => Promise<void>): Promise<void> {
  for (let deadlocks = 0; ; deadlocks += 1) {
    await client.query("begin");
    try {
      await work();
      await client.query("commit");
      return;
    } catch (error) {
      await client.query("rollback");
      if ((error as pg.DatabaseError).code === DEADLOCK && deadlocks < DEADLOCKS_MAX) continue;
      throw new Error(`${what} failed: ${(error as Error).message}`, { cause: error });
    }
  }
}

/**
 * Recorded only when all of it is done, so that one that was interrupted is run again from its start. An interrupted
 * `create index concurrently` leaves an index behind that is never used, which `if not exists` takes for the real one.
 */
async function applyOutsideTransaction(
  client: pg.Client,
  migration: Migration,
  numbered: readonly Migration[],
): Promise<void> {
  try {
    for (const statement of splitStatements(migration)) await client.query(statement);
    const { rows } = await client.query<{ name: string }>(
      "select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where not i.indisvalid",
    );
    const unusable = rows.map(({ name }) => name).filter((name) => migration.sql.includes(name));
    if (unusable.length > 0) {
      throw new Error(
        `the index ${unusable.join(", ")} is invalid; drop it first: drop index concurrently if exists ${unusable[0]}`,
      );
    }
    await record(client, [migration], numbered);
  } catch (error) {
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}

async function record(
  client: pg.Client,
  migrations: readonly Migration[],
  numbered: readonly Migration[],
  baseline: string | null = null,
): Promise<void> {
  await client.query(
    `insert into parley_migrations (name, sha256, readable_since, baseline)
     select name, sha256, readable_since, $4 from unnest($1::text[], $2::text[], $3::text[]) m (name, sha256, readable_since)`,
    [
      migrations.map(({ name }) => name),
      migrations.map(({ sql }) => checksumOf(sql)),
      migrations.map((migration) => readableSince(migration, numbered)),
      baseline,
    ],
  );
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  const version = rows[0]?.version ?? 0;
  if (version < 150_000)
    throw new Error(`PostgreSQL 15 or newer is needed; this one is ${Math.floor(version / 10_000)}`);
}

/**
 * During an upgrade a process of the previous release may have to start again after the next one has migrated the database.
 * Each migration says which releases can work with it. Returns those that this release does not know and can work with.
 */
async function refuseUnreadableSchema(client: pg.Client, numbered: readonly Migration[]): Promise<string[]> {
  const known = new Set(numbered.map(({ name }) => name));
  const { rows } = await client.query<{ name: string; readable_since: string | null }>(
    "select name, readable_since from parley_migrations where name <> all($1::text[]) order by name",
    [[...known]],
  );
  const unreadable = rows.filter(({ readable_since: since }) => since === null || !known.has(since));
  if (unreadable.length > 0) {
    throw new Error(
      `the database was made by a newer release: it has ${unreadable.map(({ name }) => name).join(", ")}, with which this release cannot ` +
        "work. Nothing was changed. Start that release or a later one, or name another database by PARLEY_DATA_DIR or DATABASE_URL.",
    );
  }
  return rows.map(({ name }) => name);
}

/** A migration that differs from what was applied would leave this database unlike every other, without a sign of it. */
function refuseChanged(done: Applied, numbered: readonly Migration[]): void {
  const changed = numbered.filter(({ name, sql }) => (done.get(name) ?? checksumOf(sql)) !== checksumOf(sql));
  if (changed.length > 0) {
    throw new Error(
      `the database was made with other contents of ${changed.map(({ name }) => name).join(", ")} than this release has. ` +
        "Nothing was changed. Start the release that made the database, or put the files in server/migrations back as they were " +
        "released; a change to the schema belongs into a new migration.",
    );
  }
}
