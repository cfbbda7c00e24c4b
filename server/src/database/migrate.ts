import { readdir, readFile } from "node:fs/promises";
import pg from "pg";

const MIGRATIONS_URL = new URL("../../migrations/", import.meta.url);
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
    await client.query(
      "create table if not exists parley_migrations (name text primary key, applied_at timestamptz not null default now())",
    );
    const { rows } = await client.query<{ name: string }>("select name from parley_migrations");
    const done = new Set(rows.map((row) => row.name));
    refuseNewerSchema(done, wanted);
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

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(migration.sql);
    await client.query("insert into parley_migrations (name) values ($1)", [migration.name]);
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

function refuseNewerSchema(done: ReadonlySet<string>, wanted: readonly Migration[]): void {
  const known = new Set(wanted.map((each) => each.name));
  const unknown = [...done].filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`the database was made by a newer release: it has ${unknown.join(", ")}`);
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS_URL)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(names.map(async (name) => ({ name, sql: await readFile(new URL(name, MIGRATIONS_URL), "utf8") })));
}
