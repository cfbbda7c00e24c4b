import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { FORMER_MIGRATION_NAMES, presentMigrationName } from "./former-migration-names.ts";
import { checksumOf, type Migration, migrate, readMigrations } from "./migrate.ts";
import { createDatabase, withDatabaseName } from "./testing/test-database.ts";

let url: string;
let client: pg.Client;

beforeEach(async () => {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await createDatabase(inject("postgresUrl"), name, "template0");
  url = withDatabaseName(inject("postgresUrl"), name);
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterEach(() => client.end());

const query = async (sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows;
const applied = () => query("select name, sha256 from parley_migrations order by name");

const FIRST: Migration = { name: "0001_first.sql", sql: "create table firsts (id text)" };
const SECOND: Migration = { name: "0002_second.sql", sql: "create table seconds (id text)" };

describe("bringing a database up to date", () => {
  test("applies what is missing, once, and keeps the checksum of each", async () => {
    expect(await migrate(url, [FIRST])).toEqual([FIRST.name]);
    expect(await migrate(url, [FIRST, SECOND])).toEqual([SECOND.name]);
    expect(await migrate(url, [FIRST, SECOND])).toEqual([]);
    expect(await applied()).toEqual([FIRST, SECOND].map(({ name, sql }) => ({ name, sha256: checksumOf(sql) })));
  });

  test("refuses a database of a newer release, says what to do and changes nothing", async () => {
    await migrate(url, [FIRST, SECOND]);
    await expect(migrate(url, [FIRST])).rejects.toThrow(/newer release: it has 0002_second.sql.*Start that release/);
    expect(await applied()).toHaveLength(2);
  });

  test("refuses when a migration is not what was applied, says what to do and changes nothing", async () => {
    await migrate(url, [FIRST]);
    const edited = { ...FIRST, sql: "create table firsts (id text, name text)" };
    await expect(migrate(url, [edited, SECOND])).rejects.toThrow(/other contents of 0001_first.sql.*put the files/);
    expect(await applied()).toEqual([{ name: FIRST.name, sha256: checksumOf(FIRST.sql) }]);
  });

  test("notices changes also of what was applied before checksums were kept, from the next start on", async () => {
    await migrate(url, [FIRST]);
    await query("alter table parley_migrations drop column sha256");
    expect(await migrate(url, [FIRST, SECOND])).toEqual([SECOND.name]);
    await expect(migrate(url, [{ ...FIRST, sql: "select 1" }, SECOND])).rejects.toThrow("other contents");
  });

  test("leaves nothing of a migration that fails", async () => {
    const broken = { name: "0003_broken.sql", sql: "create table thirds (id text); select 1 / 0" };
    await expect(migrate(url, [FIRST, broken, SECOND])).rejects.toThrow("migration 0003_broken.sql failed");
    expect(await applied()).toHaveLength(1);
    expect(await query("select to_regclass('thirds') as found")).toEqual([{ found: null }]);
  });
});

describe("a database from the time before migrations were numbered anew", () => {
  const DUMP = `
    select 'column' as what, table_name || '.' || column_name as name, data_type || is_nullable || coalesce(column_default, '') as is
    from information_schema.columns where table_schema = 'public'
    union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
    union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'trigger', tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    order by 1, 2, 3`;

  /** As it was applied then: every migration up to this one, in the order of the names it knew. */
  async function makeWith(former: string): Promise<void> {
    const all = await readMigrations();
    const present = presentMigrationName(former);
    const then = all
      .filter(({ name }) => name === present || name.slice(0, 4) < former.slice(0, 4))
      .map((each) => (each.name === present ? { ...each, name: former } : each))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    await query(
      "create table parley_migrations (name text primary key, applied_at timestamptz not null default now())",
    );
    for (const { name, sql } of then) {
      await query(sql);
      await query("insert into parley_migrations (name) values ($1)", [name]);
    }
  }

  test.each(FORMER_MIGRATION_NAMES)("with %s becomes like any other", async (former) => {
    await makeWith(former);
    const added = await migrate(url);
    expect(added).not.toContain(presentMigrationName(former));
    const schema = await query(DUMP);
    const names = await applied();
    expect(await migrate(url)).toEqual([]);
    await query("drop schema public cascade; create schema public");
    await migrate(url);
    expect(names).toEqual(await applied());
    expect(schema).toEqual(await query(DUMP));
  });
});
