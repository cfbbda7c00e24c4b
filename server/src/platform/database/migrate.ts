import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { presentMigrationName } from "./former-migration-names.ts";

const MIGRATIONS_URL = new URL("../../../migrations/", import.meta.url);
// Any number will do as long as no other lock of ours uses it.
const LOCK_ID = 7_275_539;
// An address that never answers must not keep a start waiting in silence.
const CONNECT_WITHIN_MS = 10_000;

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Brings the schema up to date, forward only. Processes that start together wait for the one that does it. */
export async function migrate(url: string, migrations?: readonly Migration[]): Promise<readonly string[]> {
  const wanted = migrations ?? (await readMigrations());
  const client = new pg.Client({
    connectionString: url,
    application_name: "parley-migrate",
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  // A connection that breaks between two statements is reported here; the next statement reports it as well.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK_ID]);
    await refuseOldServer(client);
    const done = await readApplied(client);
    refuseNewerSchema(done, wanted);
    refuseChanged(done, wanted);
    await keepChecksums(client, done, wanted);
    const applied: string[] = [];
    for (const migration of wanted.filter((each) => !done.has(each.name))) {
      await apply(client, migration);
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

/** The checksum of each migration that the database has, or null where it was applied before checksums were kept. */
type Applied = ReadonlyMap<string, string | null>;

async function readApplied(client: pg.Client): Promise<Applied> {
  await client.query(
    "create table if not exists parley_migrations (name text primary key, applied_at timestamptz not null default now())",
  );
  await client.query("alter table parley_migrations add column if not exists sha256 text");
  const { rows } = await client.query<{ name: string; sha256: string | null }>(
    "select name, sha256 from parley_migrations",
  );
  for (const { name } of rows) {
    const present = presentMigrationName(name);
    if (present !== name) await client.query("update parley_migrations set name = $2 where name = $1", [name, present]);
  }
  return new Map(rows.map(({ name, sha256 }) => [presentMigrationName(name), sha256]));
}

/** From now on a change to what was applied without a checksum is noticed as well. */
async function keepChecksums(client: pg.Client, done: Applied, wanted: readonly Migration[]): Promise<void> {
  for (const migration of wanted.filter(({ name }) => done.get(name) === null)) {
    await client.query("update parley_migrations set sha256 = $2 where name = $1", [
      migration.name,
      checksumOf(migration.sql),
    ]);
  }
}

export function checksumOf(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(migration.sql);
    await client.query("insert into parley_migrations (name, sha256) values ($1, $2)", [
      migration.name,
      checksumOf(migration.sql),
    ]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  const version = rows[0]?.version ?? 0;
  if (version < 150_000)
    throw new Error(`PostgreSQL 15 or newer is needed; this one is ${Math.floor(version / 10_000)}`);
}

function refuseNewerSchema(done: Applied, wanted: readonly Migration[]): void {
  const known = new Set(wanted.map((each) => each.name));
  const unknown = [...done.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new Error(
      `the database was made by a newer release: it has ${unknown.join(", ")}, which this release does not know. ` +
        "Nothing was changed. Start that release or a later one, or name another database by PARLEY_DATA_DIR or DATABASE_URL.",
    );
  }
}

/** A migration that differs from what was applied would leave this database unlike every other, and nobody would know. */
function refuseChanged(done: Applied, wanted: readonly Migration[]): void {
  const changed = wanted.filter(({ name, sql }) => (done.get(name) ?? checksumOf(sql)) !== checksumOf(sql));
  if (changed.length > 0) {
    throw new Error(
      `the database was made with other contents of ${changed.map(({ name }) => name).join(", ")} than this release has. ` +
        "Nothing was changed. Start the release that made the database, or put the files in server/migrations back as they were " +
        "released; a change to the schema belongs into a new migration.",
    );
  }
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS_URL)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(names.map(async (name) => ({ name, sql: await readFile(new URL(name, MIGRATIONS_URL), "utf8") })));
}
