import { makeId } from "@parley/contract/ids";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { checkInvariants } from "../../checks/check-invariants.ts";
import { type SeededCalls, seedCalls } from "../../checks/testing/seed-calls.ts";
import { inTransaction, run } from "../database.ts";
import { migrate } from "../migrate.ts";
import { type MigrationSet, readMigrations, splitStatements } from "../migrations.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";

const PREPARES = "0062_calls_by_month.sql";
const SPLITS = "0063_months_of_calls.sql";
const TABLES = ["call_events", "recording_peaks", "transcript_items", "transcript_revisions"];

let t: TestDatabase;
let seeded: SeededCalls;
let upToDate: MigrationSet;
/** A process of the previous release, with its statements prepared. */
let old: pg.Client;

beforeEach(async () => {
  t = await createTestDatabase(inject("postgresUrl"), "empty");
  const { baseline, numbered } = await readMigrations();
  upToDate = { baseline, numbered: numbered.filter(({ name }) => name <= SPLITS) };
  await migrate(t.url, { baseline, numbered: numbered.filter(({ name }) => name < PREPARES) });
  // The stores of this release fill the tables, and claim with a function that came later.
  const claims = numbered.find(({ name }) => name.endsWith("_claim_waiting_calls.sql"));
  if (!claims) throw new Error("the migration is missing");
  await run(t.db, claims.sql);
  seeded = await seedCalls(t.db);
  await run(t.db, `insert into transcript_items values ($1, 1, 'note', null, 5, '{"type":"note","startMs":5}')`, [
    seeded.completed,
  ]);
  await run(t.db, "insert into transcript_revisions values ($1, 1, 'Revised')", [seeded.completed]);
  await run(t.db, "insert into recording_peaks values ($1, 1, '', '')", [seeded.completed]);
  old = new pg.Client({ connectionString: t.url });
  await old.connect();
});
afterEach(async () => {
  await old.end();
  await t.close();
});

const contents = async () =>
  Promise.all(TABLES.map((table) => run(t.db, `select to_jsonb(r) as row from ${table} r order by row`)));
const addEvent = (sequence: number) =>
  old.query({
    name: "add_event",
    text: "insert into call_events (call_id, sequence, type) values ($1, $2, 'call.noted')",
    values: [seeded.talking, sequence],
  });
const readEvents = () =>
  old.query({ name: "read_events", text: "select * from call_events where call_id = $1", values: [seeded.talking] });

test("an upgrade keeps every row, and no process of the previous release fails beside it", async () => {
  const before = await contents();
  expect(before.map((rows) => rows.length > 0)).toEqual([true, true, true, true]);
  let sequence = 1000;
  await addEvent(sequence);
  const [{ rows: read }] = [await readEvents()];

  let isDone = false;
  const upgrade = migrate(t.url, upToDate).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    sequence += 1;
    await addEvent(sequence);
    await readEvents();
  }
  expect(await upgrade).toEqual([PREPARES, SPLITS]);
  await addEvent(sequence + 1);

  expect((await readEvents()).rows).toHaveLength(read.length + sequence + 1 - 1000);
  await old.query("begin");
  await old.query("set local parley.removing_calls = 'on'");
  await old.query("delete from call_events where type = 'call.noted'");
  await old.query("commit");
  expect(await contents()).toEqual(before);
  expect((await checkInvariants(t.db)).results.flatMap(({ violations }) => violations)).toEqual([]);
});

test("the previous release still removes calls with all that belongs to them", async () => {
  await migrate(t.url, upToDate);
  await old.query("select remove_calls($1)", [[seeded.completed]]);
  for (const table of TABLES)
    expect(await run(t.db, `select 1 from ${table} where call_id = $1`, [seeded.completed])).toEqual([]);
});

test("a revision goes with its item, and no item is written for a call that does not exist", async () => {
  await migrate(t.url, upToDate);
  await run(t.db, "delete from transcript_items where call_id = $1", [seeded.completed]);
  expect(await run(t.db, "select 1 from transcript_revisions")).toEqual([]);
  const gone = inTransaction(t.db, (tx) =>
    run(tx, `insert into transcript_items values ($1, 1, 'note', null, 5, '{}')`, [makeId("call")]),
  );
  await expect(gone).rejects.toThrow("can have no transcript");
});

test.each([1, 3, 6, 7, 9])("an upgrade that was interrupted after %i statements goes on", async (count) => {
  const before = await contents();
  const { baseline, numbered } = upToDate;
  await migrate(t.url, { baseline, numbered: numbered.filter(({ name }) => name < SPLITS) });
  const splits = numbered.find(({ name }) => name === SPLITS);
  for (const statement of splits ? splitStatements(splits).slice(0, count) : []) await run(t.db, statement);
  await addEvent(1000);
  expect(await migrate(t.url, upToDate)).toEqual([SPLITS]);
  const parents = await run(t.db, "select distinct parent from month_partitions() order by parent");
  expect(parents).toEqual(TABLES.map((parent) => ({ parent })));
  expect((await contents()).map((rows) => rows.length)).toEqual(
    before.map((rows, index) => rows.length + (index === 0 ? 1 : 0)),
  );
});
