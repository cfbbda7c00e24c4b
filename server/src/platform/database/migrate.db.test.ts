import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { migrate } from "./migrate.ts";
import {
  type Baseline,
  checksumOf,
  FORMER_MIGRATION_NAMES,
  type Migration,
  presentMigrationName,
  readMigrations,
} from "./migrations.ts";
import { describeSchema } from "./schema/describe-schema.ts";
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
const only = (...numbered: Migration[]) => ({ baseline: null, numbered });

const FIRST: Migration = { name: "0001_first.sql", sql: "create table firsts (id text)" };
const SECOND: Migration = { name: "0002_second.sql", sql: "create table seconds (id text)" };

describe("bringing a database up to date", () => {
  test("applies missing migrations once, and stores the checksum of each", async () => {
    expect(await migrate(url, only(FIRST))).toEqual([FIRST.name]);
    expect(await migrate(url, only(FIRST, SECOND))).toEqual([SECOND.name]);
    expect(await migrate(url, only(FIRST, SECOND))).toEqual([]);
    expect(await applied()).toEqual([FIRST, SECOND].map(({ name, sql }) => ({ name, sha256: checksumOf(sql) })));
  });

  test("works with the schema of a newer release that only added to it, and says so", async () => {
    await migrate(url, only(FIRST, SECOND));
    const newer: (readonly string[])[] = [];
    expect(await migrate(url, only(FIRST), { onNewerSchema: (names) => newer.push(names) })).toEqual([]);
    expect(newer).toEqual([[SECOND.name]]);
    expect(await applied()).toHaveLength(2);
  });

  const REMOVES: Migration = {
    name: "0003_removes.sql",
    sql: "--! readable since 0002_second.sql\n-- contract: not read since 0002\ndrop table firsts",
  };

  test("refuses a database from which a newer release removed what this one uses, says what to do and changes nothing", async () => {
    await migrate(url, only(FIRST, SECOND, REMOVES));
    await expect(migrate(url, only(FIRST))).rejects.toThrow(
      /newer release: it has 0003_removes.sql,.*Start that release/,
    );
    expect(await migrate(url, only(FIRST, SECOND))).toEqual([]);
    expect(await applied()).toHaveLength(3);
  });

  test("refuses what a release applied that did not say who can work with it, until it is known", async () => {
    await migrate(url, only(FIRST, SECOND));
    await query("alter table parley_migrations drop column readable_since");
    await expect(migrate(url, only(FIRST))).rejects.toThrow("newer release: it has 0002_second.sql");
    await migrate(url, only(FIRST, SECOND));
    expect(await migrate(url, only(FIRST))).toEqual([]);
  });

  test("refuses when a migration differs from the applied one, says what to do and changes nothing", async () => {
    await migrate(url, only(FIRST));
    const edited = { ...FIRST, sql: "create table firsts (id text, name text)" };
    await expect(migrate(url, only(edited, SECOND))).rejects.toThrow(/other contents of 0001_first.sql.*put the files/);
    expect(await applied()).toEqual([{ name: FIRST.name, sha256: checksumOf(FIRST.sql) }]);
  });

  test("also detects changes of migrations applied before checksums were stored, from the next start on", async () => {
    await migrate(url, only(FIRST));
    await query("alter table parley_migrations drop column sha256, drop column baseline");
    expect(await migrate(url, only(FIRST, SECOND))).toEqual([SECOND.name]);
    await expect(migrate(url, only({ ...FIRST, sql: "select 1" }, SECOND))).rejects.toThrow("other contents");
  });

  test("tries a migration again that met a deadlock with processes at work, and gives up in the end", async () => {
    // The sequence counts the tries: it does not go back with the transaction.
    await query("create sequence tries");
    const meetsDeadlocks = (count: number): Migration => ({
      name: `000${count > 9 ? 3 : 2}_meets.sql`,
      sql: `create table met_${count} (id text);
        do $$ begin
          if nextval('tries') <= ${count} then raise exception 'deadlock detected' using errcode = '40P01'; end if;
        end $$`,
    });
    expect(await migrate(url, only(FIRST, meetsDeadlocks(3)))).toEqual([FIRST.name, "0002_meets.sql"]);
    expect(await query("select last_value::int as tries from tries")).toEqual([{ tries: 4 }]);
    await expect(migrate(url, only(FIRST, meetsDeadlocks(3), meetsDeadlocks(99)))).rejects.toThrow("deadlock detected");
    expect(await applied()).toHaveLength(2);
  });

  test("leaves nothing of a migration that fails", async () => {
    const broken = { name: "0003_broken.sql", sql: "create table thirds (id text); select 1 / 0" };
    await expect(migrate(url, only(FIRST, broken, SECOND))).rejects.toThrow("migration 0003_broken.sql failed");
    expect(await applied()).toHaveLength(1);
    expect(await query("select to_regclass('thirds') as found")).toEqual([{ found: null }]);
  });
});

describe("the baseline", () => {
  const BASELINE: Baseline = {
    files: [{ name: "01_all.sql", sql: "create table firsts (id text, price int)" }],
    data: [{ table: "firsts", csv: 'id,price\n"a, b",1\nc,2\n' }],
    standsFor: [FIRST.name],
  };

  test("creates an empty database, with its rows, and replaces the migrations before it", async () => {
    const set = { baseline: BASELINE, numbered: [FIRST, SECOND] };
    expect(await migrate(url, set)).toEqual(["baseline", SECOND.name]);
    expect(await migrate(url, set)).toEqual([]);
    expect(await query("select id, price from firsts order by id")).toEqual([
      { id: "a, b", price: 1 },
      { id: "c", price: 2 },
    ]);
    expect(await applied()).toEqual([FIRST, SECOND].map(({ name, sql }) => ({ name, sha256: checksumOf(sql) })));
    expect(await query("select name from parley_migrations where baseline is not null")).toEqual([
      { name: FIRST.name },
    ]);
  });

  test("is not for a database that has begun with migrations", async () => {
    await migrate(url, only(FIRST));
    await query("insert into firsts values ('own')");
    expect(await migrate(url, { baseline: BASELINE, numbered: [FIRST, SECOND] })).toEqual([SECOND.name]);
    expect(await query("select * from firsts")).toEqual([{ id: "own" }]);
  });

  test("that fails leaves an empty database", async () => {
    const broken = { ...BASELINE, data: [{ table: "firsts", csv: "id,price\na,cheap\n" }] };
    await expect(migrate(url, { baseline: broken, numbered: [FIRST] })).rejects.toThrow(
      "baseline of the schema failed",
    );
    expect(await applied()).toEqual([]);
    expect(await query("select to_regclass('firsts') as found")).toEqual([{ found: null }]);
  });
});

describe("a migration outside a transaction", () => {
  const INDEX: Migration = {
    name: "0002_index.sql",
    sql: `--! no-transaction
-- Dropped first: an interrupted one leaves an invalid index behind.
drop index concurrently if exists firsts_by_id;
create unique index concurrently firsts_by_id
  on firsts (id);
`,
  };
  const isValid = async () => {
    const rows = await query(
      "select i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname = 'firsts_by_id'",
    );
    return rows.map(({ valid }) => valid);
  };

  test("builds an index without locking the table, and is applied once", async () => {
    expect(await migrate(url, only(FIRST, INDEX))).toEqual([FIRST.name, INDEX.name]);
    expect(await isValid()).toEqual([true]);
    expect(await migrate(url, only(FIRST, INDEX))).toEqual([]);
  });

  test("that failed half way is run again from its start", async () => {
    await migrate(url, only(FIRST));
    await query("insert into firsts values ('same'), ('same')");
    await expect(migrate(url, only(FIRST, INDEX))).rejects.toThrow("migration 0002_index.sql failed");
    expect(await isValid()).toEqual([false]);
    await query("truncate firsts");
    expect(await migrate(url, only(FIRST, INDEX))).toEqual([INDEX.name]);
    expect(await isValid()).toEqual([true]);
  });

  test("that was killed while it waited is run again, and another start waits for neither in a circle", async () => {
    await migrate(url, only(FIRST));
    // A transaction that has written to the table: the index cannot be finished before it ends.
    await query("begin");
    await query("insert into firsts values ('open')");
    const killed = migrate(url, only(FIRST, INDEX)).catch((error: Error) => error);
    const watcher = new pg.Client({ connectionString: url });
    await watcher.connect();
    try {
      const building = async () =>
        (
          await watcher.query(
            `select pid from pg_stat_activity where datname = current_database() and application_name = 'parley-migrate'
             and query like '%index concurrently%' and wait_event_type = 'Lock'`,
          )
        ).rows;
      await expect.poll(building).toHaveLength(1);
      const waiting = migrate(url, only(FIRST, INDEX));
      await watcher.query("select pg_terminate_backend($1)", [(await building())[0]?.pid]);
      expect(await killed).toBeInstanceOf(Error);
      await expect.poll(building).toHaveLength(1);
      await query("commit");
      expect(await waiting).toEqual([INDEX.name]);
      expect(await isValid()).toEqual([true]);
    } finally {
      await watcher.end();
    }
  });

  test("the wait for a process that migrates names that process and ends with the signal", async () => {
    await query("set application_name = 'the holder of a test'");
    await query("select pg_advisory_lock(7275539)");
    const stopping = new AbortController();
    const holders: unknown[] = [];
    const waiting = migrate(url, only(FIRST), {
      signal: stopping.signal,
      onWaiting(holder) {
        holders.push(holder?.applicationName);
        stopping.abort(new Error("told to stop"));
      },
    });
    await expect(waiting).rejects.toThrow("The operation was aborted");
    expect(holders).toEqual(["the holder of a test"]);
    await query("select pg_advisory_unlock_all()");
  });

  test("is not taken for done when it passed over the invalid index of an earlier attempt", async () => {
    const careless = { ...INDEX, sql: INDEX.sql.replace(/^drop.*\n/m, "").replace("concurrently", "$& if not exists") };
    await migrate(url, only(FIRST));
    await query("insert into firsts values ('same'), ('same')");
    await expect(migrate(url, only(FIRST, careless))).rejects.toThrow("could not create unique index");
    await query("truncate firsts");
    await expect(migrate(url, only(FIRST, careless))).rejects.toThrow("firsts_by_id is invalid; drop it first");
    expect(await applied()).toHaveLength(1);
  });

  test("cannot make functions, whose bodies contain semicolons", async () => {
    const sql = "--! no-transaction\ncreate function f() returns int language sql as $$ select 1; $$;";
    await expect(migrate(url, only({ name: "0001_f.sql", sql }))).rejects.toThrow("a function cannot be made");
  });
});

/** Everything but the order of columns, when a migration was applied, and whether it or the baseline did it. */
async function readEverything(): Promise<{ schema: string; rows: Record<string, unknown[]> }> {
  const schema = await describeSchema(client, "name");
  const tables = await query(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
  );
  const texts = tables.map(
    ({ name }) =>
      `select '${name}' as name, coalesce(jsonb_agg(r order by r), '[]') as rows
       from (select to_jsonb(t) - 'applied_at' - 'baseline' as r from ${name} t) t`,
  );
  const rows = await query(texts.join(" union all "));
  return { schema, rows: Object.fromEntries(rows.map((each) => [each.name, each.rows])) };
}

describe("a database that began before the baseline", () => {
  let fresh: Awaited<ReturnType<typeof readEverything>> | null = null;
  /** What a new installation has, to compare with. The database of the test must be empty. */
  async function readFresh() {
    if (fresh) return fresh;
    expect(await migrate(url)).toContain("baseline");
    fresh = await readEverything();
    await query("drop schema public cascade; create schema public");
    return fresh;
  }

  test("ends with the same schema and the same rows as a new one", async () => {
    const { schema, rows } = await readFresh();
    const { numbered } = await readMigrations();
    await migrate(url, only(...numbered));
    const before = await readEverything();
    expect(before.schema).toBe(schema);
    expect(before.rows).toEqual(rows);
    expect(rows["rates"]?.length).toBeGreaterThan(1000);
    expect(rows["parley_migrations"]).toHaveLength(numbered.length);
  });

  /** As it was applied then: every migration up to this one, in the order of the names it knew. */
  async function makeWith(former: string): Promise<void> {
    const { numbered } = await readMigrations();
    const present = presentMigrationName(former);
    const then = numbered
      .filter(({ name }) => name === present || name.slice(0, 4) < former.slice(0, 4))
      .map((each) => (each.name === present ? { ...each, name: former } : each))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    // In one transaction, which is much faster than one for each and ends the same.
    await query("begin");
    await query(
      "create table parley_migrations (name text primary key, applied_at timestamptz not null default now())",
    );
    for (const { sql } of then) await query(sql);
    await query("insert into parley_migrations (name) select unnest($1::text[])", [then.map(({ name }) => name)]);
    await query("commit");
  }

  /** The first of them and the last, or all. */
  const formerNames =
    process.env["PARLEY_TESTS_THOROUGH"] === "1"
      ? FORMER_MIGRATION_NAMES
      : FORMER_MIGRATION_NAMES.filter((_, index, all) => index % (all.length - 1) === 0);

  test.each(formerNames)("and before migrations were renumbered, with %s, becomes like any other", async (former) => {
    const { schema, rows } = await readFresh();
    await makeWith(former);
    expect(await migrate(url)).not.toContain(presentMigrationName(former));
    expect(await migrate(url)).toEqual([]);
    const upgraded = await readEverything();
    expect(upgraded.schema).toBe(schema);
    expect(upgraded.rows).toEqual(rows);
  });
});
