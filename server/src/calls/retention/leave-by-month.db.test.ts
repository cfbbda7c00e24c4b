import { gunzipSync } from "node:zlib";
import { makeId } from "@parley/contract/ids";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { readBalance } from "../../accounts/credits/ledger-store.ts";
import { checkInvariants } from "../../platform/checks/check-invariants.ts";
import { run } from "../../platform/database/database.ts";
import { addMonths } from "../../platform/database/months/add-months.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { commitRinging, commitTalking } from "../runs/commits.ts";
import { registerWorker } from "../runs/lease/lease-store.ts";
import { type Scene, setScene } from "../runs/testing/call-scene.ts";
import { claimOwn } from "../runs/testing/claim-own.ts";
import { end, writeAhead } from "../runs/testing/simulated-steps.ts";
import { readTranscript } from "../transcripts/transcript-store.ts";
import { dropLeftMonths } from "./leave-by-month.ts";
import { type RemovalDeps, removeOldCalls } from "./remove-old-calls.ts";

let t: TestDatabase;
let scene: Scene;
/** Two calls of the same month with everything that is kept about calls. */
let early: string;
let late: string;

const DAY_MS = 24 * 60 * 60 * 1000;
/** How many days later the second call ended. */
const APART = 20;
const orderly = { reason: "callee_hangup", by: "callee", isOrderly: true } as const;

beforeEach(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  const workerId = makeId("worker");
  await registerWorker(t.db, workerId, 100);
  scene = await setScene(t.db);
  early = await holdCall(scene, workerId);
  late = await holdCall(scene, workerId);
  await setEnd(late, APART);
});
afterEach(() => t.close());

async function holdCall({ place, accountId }: Scene, workerId: string): Promise<string> {
  const id = await place("live");
  await run(t.db, "update waiting_lanes set served_at = '-infinity' where account_id = $1", [accountId]);
  const call = await claimOwn(t.db, workerId, id);
  await writeAhead(t.db, call);
  await commitRinging(t.db, call);
  await commitTalking(t.db, call, 0);
  await run(
    t.db,
    `insert into transcript_items values ($1, 1, 'speech', 1, 0, '{"type":"speech","role":"callee","text":"Hello","startMs":0,"endMs":5}')`,
    [id],
  );
  await run(t.db, "insert into transcript_revisions values ($1, 1, 'Hullo')", [id]);
  await run(t.db, "insert into recording_peaks values ($1, 160, '', '')", [id]);
  await end(t.db, call, orderly, 61_000);
  return id;
}

/** The end of a call is final, so only a superuser can tell another one. */
async function setEnd(id: string, daysLater: number): Promise<void> {
  await t.db.connection().execute(async (connection) => {
    await run(connection, "set session_replication_role = replica");
    await run(connection, "update calls set ended_at = ended_at + make_interval(days => $2) where id = $1", [
      id,
      daysLater,
    ]);
    await run(connection, "reset session_replication_role");
  });
}

function removeAfter(days: number, options: Partial<RemovalDeps> = {}): Promise<number> {
  const nowMs = () => Date.now() + days * DAY_MS;
  return removeOldCalls({
    db: t.db,
    installationDays: 365,
    archive: null,
    nowMs,
    onFailed: () => undefined,
    ...options,
  });
}

const SPLIT = ["call_events", "recording_peaks", "transcript_items", "transcript_revisions"];

async function rowsOf(callId: string): Promise<number[]> {
  return Promise.all(
    SPLIT.map(async (table) => {
      const rows = await run(t.db, `select 1 from ${table} where call_id = $1`, [callId]);
      return rows.length;
    }),
  );
}

const firstMonths = async () =>
  (await run<{ name: string }>(t.db, "select name from month_partitions() where lower_id = '' order by name")).map(
    ({ name }) => name,
  );
const leaving = () => run(t.db, "select lower_id from leaving_months");
const violations = async () =>
  (await checkInvariants(t.db)).results.flatMap(({ violations }) => violations.map(({ detail }) => detail));

test("a month is dropped as a whole with its last call; money stays, and each call was archived while it had all its rows", async () => {
  const balance = await readBalance(t.db, scene.accountId);
  const money = () => run(t.db, "select * from ledger_transfers order by id");
  const usage = () => run(t.db, "select * from usage_quarters");
  const [moneyBefore, usageBefore] = [await money(), await usage()];
  const objects: Uint8Array[] = [];
  const bucket = { put: async (_key: string, bytes: Uint8Array) => void objects.push(bytes) };
  const archive = { bucket, prefix: "" };
  const rows = await rowsOf(early);
  expect(Math.min(...rows)).toBeGreaterThan(0);

  expect(await removeAfter(366, { archive })).toBe(1);
  expect(await run(t.db, "select id from calls")).toEqual([{ id: late }]);
  // Its rows wait for the others of their month, and are no fault.
  expect(await rowsOf(early)).toEqual(rows);
  expect(await violations()).toEqual([]);
  expect(await firstMonths()).toEqual(SPLIT.map((table) => `${table}_first`));
  expect(await readTranscript(t.db, late)).toHaveLength(1);

  expect(await removeAfter(366 + APART, { archive })).toBe(1);
  expect(await firstMonths()).toEqual([]);
  expect(await leaving()).toEqual([]);
  for (const id of [early, late]) expect(await rowsOf(id)).toEqual([0, 0, 0, 0]);
  expect(await violations()).toEqual([]);
  expect(await readBalance(t.db, scene.accountId)).toEqual(balance);
  expect(await money()).toEqual(moneyBefore);
  expect(await usage()).toEqual(usageBefore);

  const archived = objects.map((bytes) => JSON.parse(gunzipSync(bytes).toString()) as Record<string, unknown[]>);
  expect(archived).toHaveLength(2);
  for (const { events, transcript } of archived) {
    expect(events).toHaveLength(rows[0] ?? 0);
    expect(transcript).toHaveLength(1);
  }
});

test("nothing is dropped that the bucket did not take", async () => {
  const bucket = { put: () => Promise.reject(new Error("the store is away")) };
  await expect(removeAfter(400, { archive: { bucket, prefix: "" } })).rejects.toThrow("could not be removed");
  expect(await firstMonths()).toHaveLength(SPLIT.length);
  expect(await rowsOf(late)).not.toContain(0);
});

test("where a call of the month stays for longer, rows go with their call as they always did", async () => {
  const other = await setScene(t.db);
  const workerId = makeId("worker");
  await registerWorker(t.db, workerId, 100);
  const kept = await holdCall(other, workerId);
  await run(t.db, "update accounts set call_retention_days = 3650 where id = $1", [other.accountId]);
  expect(await removeAfter(366)).toBe(1);
  expect(await leaving()).toEqual([]);
  expect(await rowsOf(early)).toEqual([0, 0, 0, 0]);
  expect(await removeAfter(366 + APART)).toBe(1);
  expect(await rowsOf(kept)).not.toContain(0);
  expect(await violations()).toEqual([]);
});

test("a month that turns out to stay is cleared of what removed calls left", async () => {
  await removeAfter(366);
  expect(await rowsOf(early)).not.toContain(0);
  await run(t.db, "update accounts set call_retention_days = 3650 where id = $1", [scene.accountId]);
  expect(await removeAfter(367)).toBe(0);
  expect(await rowsOf(early)).toEqual([0, 0, 0, 0]);
  expect(await rowsOf(late)).not.toContain(0);
  expect(await leaving()).toEqual([]);
  expect(await violations()).toEqual([]);
});

test("what a removed call left is gone two months later, whatever keeps the month", async () => {
  await removeAfter(366);
  await run(t.db, "insert into recording_objects (call_id) values ($1)", [late]);
  expect(await removeAfter(366 + APART)).toBe(0);
  expect(await rowsOf(early)).not.toContain(0);
  expect(await removeAfter(366 + 71)).toBe(0);
  expect(await rowsOf(early)).toEqual([0, 0, 0, 0]);
  expect(await rowsOf(late)).not.toContain(0);
});

test("a month that is not over is not dropped, and one with rows that were not to leave is not either", async () => {
  const nowMs = () => Date.now() + 400 * DAY_MS;
  await run(t.db, "select remove_calls(array(select id from calls))");
  expect(await dropLeftMonths({ db: t.db, nowMs: Date.now })).toBe(0);
  await run(t.db, "insert into call_events (call_id, sequence, type) values ($1, 1, 'call.noted')", [early]);
  await dropLeftMonths({ db: t.db, nowMs });
  expect(await firstMonths()).toEqual(SPLIT.map((table) => `${table}_first`));
});

test("several processes may drop months at once, and rows that come later have their month again", async () => {
  await run(t.db, "select remove_calls(array(select id from calls))");
  const nowMs = () => Date.now() + 70 * DAY_MS;
  const dropped = await Promise.all([1, 2, 3].map(() => dropLeftMonths({ db: t.db, nowMs })));
  expect(dropped.filter((count) => count > 0)).toHaveLength(1);
  expect(await firstMonths()).toEqual([]);
  await run(t.db, "insert into call_events (call_id, sequence, type) values ($1, 1, 'call.noted')", [early]);
  expect(await addMonths(t.db)).toBe(0);
  expect(await rowsOf(early)).toEqual([1, 0, 0, 0]);
});
