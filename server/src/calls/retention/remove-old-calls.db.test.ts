import { gunzipSync } from "node:zlib";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readBalance } from "../../accounts/credits/ledger-store.ts";
import { checkInvariants } from "../../platform/checks/check-invariants.ts";
import { type SeededCalls, seedCalls } from "../../platform/checks/testing/seed-calls.ts";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { type RemovalDeps, removeOldCalls } from "./remove-old-calls.ts";

let t: TestDatabase;
let seeded: SeededCalls;
const DAY_MS = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  seeded = await seedCalls(t.db);
});
afterAll(() => t.close());

const onFailed = (accountId: string, error: unknown) => failed.push([accountId, (error as Error).message]);
const failed: [string, string][] = [];

/** The job, so many days from now. */
function removeAfter(days: number, options: Partial<RemovalDeps> = {}): Promise<number> {
  const nowMs = () => Date.now() + days * DAY_MS;
  return removeOldCalls({ db: t.db, installationDays: 365, archive: null, nowMs, onFailed, ...options });
}

const count = async (table: string, where = "true") =>
  (await run<{ n: number }>(t.db, `select count(*)::int as n from ${table} where ${where}`))[0]?.n;

const violations = async () =>
  (await checkInvariants(t.db)).results.flatMap(({ name, total }) => (total > 0 ? [name] : []));

test("calls are kept while their time has not come, and for ever without a period", async () => {
  expect(await removeAfter(364)).toBe(0);
  expect(await removeAfter(4000, { installationDays: null })).toBe(0);
});

test("nothing is removed that the bucket did not take", async () => {
  const before = await count("calls");
  const bucket = { put: () => Promise.reject(new Error("the store is away")) };
  await expect(removeAfter(366, { archive: { bucket, prefix: "" } })).rejects.toThrow("could not be removed");
  expect(failed.splice(0)).toContainEqual([seeded.scene.accountId, "the store is away"]);
  expect(await count("calls")).toBe(before);
});

/** Accounts before all others, each with a call that ended long ago. */
async function addAccountsBefore(others: number): Promise<string[]> {
  const ids = Array.from({ length: others }, (_, n) => `acc_0000000000000000000000000${n.toString(36)}`);
  await run(
    t.db,
    `with owners as (select id from unnest($1::text[]) id),
       created as (insert into accounts (id, name) select id, id from owners on conflict do nothing),
       balances as (insert into account_balances (account_id) select id from owners on conflict do nothing)
     insert into calls (id, account_id, mode, phone_number, agent_id, agent_version, engine, max_duration_seconds, ring_timeout_seconds,
       created_at, status, state, end_reason, ended_by, ended_at, cost_micros)
     select 'call_' || right(o.id, 26), o.id, 'test', '+15550100001', c.agent_id, c.agent_version, c.engine, 60, 30,
       now() - interval '2 years', 'failed', 'ended', 'busy', 'callee', now() - interval '2 years', 0
     from owners o, (select * from calls where state = 'ended' limit 1) c`,
    [ids],
  );
  return ids;
}

async function removeCallsOf(ids: readonly string[]): Promise<void> {
  await run(t.db, "delete from calls where account_id = any($1)", [ids]);
}

const bucketWithout = (refused: readonly string[], puts: string[] = []) => ({
  put: async (key: string) => {
    puts.push(key);
    if (refused.some((accountId) => key.includes(accountId))) throw new Error("access denied");
  },
});

test("an account whose calls cannot be stored keeps them, and the others lose theirs all the same", async () => {
  const [first = "", second = ""] = await addAccountsBefore(2);
  const job = removeAfter(0, { archive: { bucket: bucketWithout([first]), prefix: "" } });
  await expect(job).rejects.toThrow("accounts whose calls could not be removed: 1");
  expect(failed.splice(0)).toEqual([[first, "access denied"]]);
  expect([await count("calls", `account_id = '${first}'`), await count("calls", `account_id = '${second}'`)]).toEqual([
    1, 0,
  ]);
  await removeCallsOf([first, second]);
});

test("a store that refuses one account after the other is not asked for all of them", async () => {
  const ids = await addAccountsBefore(15);
  const puts: string[] = [];
  const archive = { bucket: bucketWithout(ids, puts), prefix: "" };
  await expect(removeAfter(0, { archive })).rejects.toThrow("accounts whose calls could not be removed: 10");
  expect([puts.length, failed.splice(0).length]).toEqual([10, 10]);
  await removeCallsOf(ids);
});

test("an account's own period goes before that of the installation", async () => {
  const { accountId } = seeded.scene;
  await run(t.db, "update accounts set call_retention_days = 3650 where id = $1", [accountId]);
  expect(await removeAfter(366)).toBe(0);
  await run(t.db, "update accounts set call_retention_days = null where id = $1", [accountId]);
});

test("a recording is erased first, and its call follows when the file is gone", async () => {
  await run(
    t.db,
    `update calls set recording = '{"status":"ready","durationMs":1,"partial":false,"reason":null}' where id = $1`,
    [seeded.completed],
  );
  // By the clock of the job the recording has only just been erased.
  const early = await removeOldCalls({
    db: t.db,
    installationDays: 0,
    archive: null,
    nowMs: () => Date.now() + 1000,
    onFailed,
  });
  expect(early).toBeGreaterThan(0);
  expect(await count("calls", `id = '${seeded.completed}' and recording_erased_at is not null`)).toBe(1);
});

test("ended calls are archived and removed with all that belongs to them; unfinished ones, money, usage and the audit log stay", async () => {
  const { accountId } = seeded.scene;
  const kept = ["ledger_transfers", "usage_quarters", "spend_days"] as const;
  const before = await Promise.all(kept.map((table) => count(table)));
  const balance = await readBalance(t.db, accountId);
  const ended = await run<{ id: string }>(t.db, "select id from calls where state = 'ended' order by created_at, id");
  const unfinished = await count("calls", "state <> 'ended'");
  const objects = new Map<string, Uint8Array>();
  const bucket = { put: async (key: string, bytes: Uint8Array) => void objects.set(key, bytes) };

  expect(await removeAfter(366, { archive: { bucket, prefix: "p/" } })).toBe(ended.length);

  expect(await count("calls", "state = 'ended'")).toBe(0);
  expect(await count("calls")).toBe(unfinished);
  const ids = ended.map(({ id }) => `'${id}'`).join(",");
  for (const table of ["call_events", "call_runs", "call_attempts", "transcript_items", "transcript_words", "outbox"])
    expect([table, await count(table, `call_id in (${ids})`)]).toEqual([table, 0]);
  expect(await Promise.all(kept.map((table) => count(table)))).toEqual(before);
  expect(await readBalance(t.db, accountId)).toEqual(balance);
  expect(await count("audit_log", "action = 'calls.removed'")).toBeGreaterThan(0);
  expect(await violations()).toEqual([]);

  const [[key, bytes] = ["", new Uint8Array()]] = [...objects];
  expect(key).toMatch(
    new RegExp(`^p/archive/calls/${accountId}/\\d{4}-\\d\\d/${ended[0]?.id}-${ended.at(-1)?.id}\\.jsonl\\.gz$`),
  );
  const lines = gunzipSync(bytes).toString().trimEnd().split("\n");
  const archived = lines.map((line) => JSON.parse(line) as { call: { id: string }; events: { type: string }[] });
  expect(archived.map(({ call }) => call.id)).toEqual(ended.map(({ id }) => id));
  for (const { events } of archived) expect(events[0]?.type).toBe("call.initiated");
  expect(await removeAfter(366)).toBe(0);
});

test("events are still never deleted otherwise", async () => {
  await expect(run(t.db, "delete from call_events")).rejects.toThrow("never changed");
});

test("workers that have gone long ago are forgotten once no call refers to them", async () => {
  const id = makeId("worker");
  await run(t.db, "insert into workers (id, slots_max, seen_at) values ($1, 1, now() - interval '31 days')", [id]);
  const others = await count("workers", "exists (select 1 from call_runs r where r.worker_id = workers.id)");
  await removeAfter(0);
  expect(await count("workers", `id = '${id}'`)).toBe(0);
  expect(await count("workers")).toBeGreaterThanOrEqual(others ?? 0);
});
