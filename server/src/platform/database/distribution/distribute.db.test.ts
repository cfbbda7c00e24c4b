import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { readTranscript, writeTranscript } from "../../../calls/transcripts/transcript-store.ts";
import { openReceiver } from "../../../webhooks/testing/open-receiver.ts";
import { openDeliverScene, readDeliveries, setWebhookScene } from "../../../webhooks/testing/webhook-scene.ts";
import { checkInvariants } from "../../checks/check-invariants.ts";
import { seedCalls } from "../../checks/testing/seed-calls.ts";
import { inTransaction, run } from "../database.ts";
import { addMonth } from "../months/month-store.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { DISTRIBUTED, REFERENCE } from "./tables.ts";
import { FAKE_CITUS } from "./testing/fake-citus.ts";
import { writeDistributionScript } from "./write-script.ts";

let t: TestDatabase;
/** As psql would run the script. */
let psql: pg.Client;

beforeEach(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  psql = new pg.Client({ connectionString: t.url });
  await psql.connect();
});
afterEach(async () => {
  await psql.end();
  await t.close();
});

async function countRows(): Promise<Record<string, number | undefined>> {
  const counts: Record<string, number | undefined> = {};
  for (const table of Object.keys(DISTRIBUTED))
    counts[table] = (await psql.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n;
  return counts;
}
const findBroken = async () => (await checkInvariants(t.db)).results.filter(({ total }) => total > 0);

describe("the first part of the script", () => {
  test("keeps every row and finds its account, except for what removed calls left behind", async () => {
    const { completed, scene } = await seedCalls(t.db);
    const before = await countRows();
    await run(t.db, "insert into call_events (call_id, sequence, type) values ('call_0000000000', 1, 'call.queued')");
    await psql.query((await writeDistributionScript(t.db)).keys);
    expect(await countRows()).toEqual(before);
    for (const table of ["call_events", "call_runs", "call_attempts"])
      expect(await run(t.db, `select distinct account_id from ${table} where call_id = $1`, [completed])).toEqual([
        { account_id: scene.accountId },
      ]);
    expect(await findBroken()).toEqual([]);
  });

  test("leaves a database on which calls are accepted, conducted, charged and reported as before", async () => {
    await psql.query((await writeDistributionScript(t.db)).keys);
    const { completed } = await seedCalls(t.db);
    const item = { type: "speech", role: "callee", text: "Yes.", startMs: 0, endMs: 400 } as const;
    const words = { items: [{ ordinal: 1, turn: 1, orderMs: 0, item }], undoneTurns: [] } as unknown as Parameters<
      typeof writeTranscript
    >[2];
    // Written twice, as after a lost reply.
    for (const _try of [1, 2]) await inTransaction(t.db, (tx) => writeTranscript(tx, completed, words));
    expect(await readTranscript(t.db, completed)).toHaveLength(1);

    const account = await setWebhookScene(t.db);
    const receiver = await openReceiver();
    const scene = openDeliverScene(t.db);
    try {
      const { id } = await account.addEndpoint(receiver.url);
      const eventId = await account.report();
      await scene.deliver();
      expect(receiver.ids()).toEqual([eventId]);
      expect(await readDeliveries(t.db, id)).toMatchObject([{ status: "delivered", attempt_count: 1 }]);
    } finally {
      await scene.stop();
      await receiver.close();
    }
    const inTwoYears = new Date(Date.now() + 2 * 366 * 24 * 3600 * 1000);
    expect(await inTransaction(t.db, (tx) => addMonth(tx, "call_events", inTwoYears))).toBe(true);
    expect(await findBroken()).toEqual([]);
  });

  test("is empty the second time", async () => {
    await psql.query((await writeDistributionScript(t.db)).keys);
    const { keys } = await writeDistributionScript(t.db);
    expect(keys.split("\n").filter((line) => line !== "" && !line.startsWith("--"))).toEqual(["begin;", "commit;"]);
  });
});

describe("the second part of the script", () => {
  test("hands over every table as Citus demands it", async () => {
    await seedCalls(t.db);
    const { keys, tables } = await writeDistributionScript(t.db);
    await psql.query(keys);
    await psql.query(FAKE_CITUS);
    await psql.query(tables);
    const { rows } = await psql.query("select name::text, split_by from fake_citus_tables");
    expect(rows).toHaveLength(Object.keys(DISTRIBUTED).length + Object.keys(REFERENCE).length);
    const guards = await psql.query("select 1 from pg_trigger where tgname = 'call_state_moves'");
    expect(guards.rowCount).toBe(1);
    // What comes later must not break it.
    await expect(psql.query("alter table call_notes add constraint once unique (note)")).rejects.toThrow("call_notes");
  });

  test("is refused without the first, and changes nothing then", async () => {
    const { tables } = await writeDistributionScript(t.db);
    await psql.query(FAKE_CITUS);
    await expect(psql.query(tables)).rejects.toThrow('"fills_account"');
    await psql.query("rollback");
    const keys = await psql.query("select 1 from pg_constraint where conname = 'calls_account_id_fkey'");
    expect(keys.rowCount).toBe(1);
  });
});

describe("the fake Citus", () => {
  const setUp = `${FAKE_CITUS}
    create table refs (id text primary key);
    create table locals (id text primary key);
    create table parents (account_id text not null, id text, primary key (account_id, id));
    select create_reference_table('refs');
    select create_distributed_table('parents', 'account_id');`;

  test.each([
    ["a key without the account", "create table a (account_id text not null, id text primary key)", "a_pkey"],
    ["an account that may be null", "create table a (account_id text)", "may be null"],
    ["no account", "create table a (id text)", "does not exist"],
    [
      "a key of the coordinator's table",
      "create table a (account_id text not null, x text references locals)",
      "a_x_fkey",
    ],
    [
      "a key to another account",
      "create table a (account_id text not null, x text not null, foreign key (x, account_id) references parents)",
      "a_x_account_id_fkey",
    ],
    [
      "a key that would set the account to null",
      "create table a (account_id text not null references refs on delete set null)",
      "a_account_id_fkey",
    ],
    [
      "a trigger",
      "create table a (account_id text not null); create trigger t before update on a for each row execute function suppress_redundant_updates_trigger()",
      "because it has triggers",
    ],
    [
      "a unique index of a partition without the account",
      "create table a (account_id text not null, id text) partition by range (id); create table b partition of a default; create unique index on b (id)",
      "b_id_idx",
    ],
  ])("refuses %s", async (_what, made, message) => {
    await psql.query(setUp);
    await psql.query(made);
    await expect(
      psql.query("select create_distributed_table('a', 'account_id', colocate_with => 'parents')"),
    ).rejects.toThrow(message);
  });

  test("refuses what is not with the others, and reference tables that refer to distributed ones", async () => {
    await psql.query(setUp);
    await psql.query("create table a (account_id text not null)");
    await expect(psql.query("select create_distributed_table('a', 'account_id')")).rejects.toThrow("not be colocated");
    await psql.query("create table b (account_id text, id text)");
    await psql.query("select create_reference_table('b')");
    await expect(
      psql.query("alter table b add constraint b_of foreign key (account_id, id) references parents"),
    ).rejects.toThrow("b_of");
    await expect(
      psql.query("alter table locals add account_id text, add foreign key (account_id, id) references parents"),
    ).rejects.toThrow("locals_account_id_id_fkey");
  });
});

describe("a table or a trigger that is in no list", () => {
  test.each([
    ["create table guests (id text primary key)", "guests"],
    ["create trigger t before update on calls for each row execute function refuse_change()", "t"],
    ["drop table redials", "redials"],
    ["drop trigger call_state_moves on calls", "call_state_moves"],
  ])("is refused: %s", async (change, name) => {
    await psql.query(change);
    await expect(writeDistributionScript(t.db)).rejects.toThrow(`what becomes of ${name}`);
  });

  test("may be on the coordinator, with any trigger", async () => {
    await psql.query("create trigger t before update on trunks for each row execute function refuse_change()");
    await expect(writeDistributionScript(t.db)).resolves.toBeDefined();
  });
});
