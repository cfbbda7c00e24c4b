import { gunzipSync } from "node:zlib";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeEach, expect, inject, test } from "vitest";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { type AuditRemovalDeps, removeOldAuditEntries } from "./remove-old-entries.ts";

let t: TestDatabase;

beforeEach(async () => {
  await t?.close();
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());

const NOW_MS = Date.parse("2031-03-10T00:00:00Z");
const DAY_MS = 24 * 60 * 60 * 1000;

async function addEntry(daysAgo: number, accountId: string | null = null): Promise<string> {
  const atMs = NOW_MS - daysAgo * DAY_MS;
  const id = makeId("audit", atMs);
  await run(
    t.db,
    `insert into audit_log (id, account_id, actor, action, target, ip, client, data, created_at)
     values ($1, $2, 'operator', 'trunk.changed', 'trk_1', '192.0.2.1', 'curl', '{"a": 1}', $3)`,
    [id, accountId, new Date(atMs)],
  );
  return id;
}

const remove = (options: Partial<AuditRemovalDeps> = {}, rowsMax?: number) =>
  removeOldAuditEntries({ db: t.db, days: 365, archive: null, nowMs: () => NOW_MS, ...options }, rowsMax);

const left = async () => (await run<{ id: string }>(t.db, "select id from audit_log order by id")).map(({ id }) => id);

test("the audit log is kept for ever without a setting", async () => {
  const id = await addEntry(4000);
  expect(await remove({ days: null })).toBe(0);
  expect(await left()).toEqual([id]);
});

test("entries are archived by month, in small batches, and removed once their days have passed", async () => {
  const old = [];
  for (const daysAgo of [420, 400, 399, 398, 366]) old.push(await addEntry(daysAgo));
  const young = await addEntry(364);
  const objects = new Map<string, string[]>();
  const bucket = {
    put: async (key: string, bytes: Uint8Array) =>
      void objects.set(key, gunzipSync(bytes).toString().trimEnd().split("\n")),
  };
  expect(await remove({ archive: { bucket, prefix: "p/" } }, 2)).toBe(5);
  expect(await left()).toEqual([young]);
  expect([...objects.keys()]).toEqual([
    `p/archive/audit/2030-01/${old[0]}-${old[0]}.jsonl.gz`,
    `p/archive/audit/2030-02/${old[1]}-${old[2]}.jsonl.gz`,
    `p/archive/audit/2030-02/${old[3]}-${old[3]}.jsonl.gz`,
    `p/archive/audit/2030-03/${old[4]}-${old[4]}.jsonl.gz`,
  ]);
  expect(JSON.parse([...objects.values()].flat()[0] ?? "")).toEqual({
    ...{ id: old[0], accountId: null, actor: "operator", action: "trunk.changed", target: "trk_1", ip: "192.0.2.1" },
    ...{ client: "curl", data: { a: 1 }, createdAt: new Date(NOW_MS - 420 * DAY_MS).toISOString() },
  });
});

test("nothing is removed that the bucket did not take", async () => {
  const id = await addEntry(400);
  const bucket = { put: () => Promise.reject(new Error("the store is away")) };
  await expect(remove({ archive: { bucket, prefix: "" } })).rejects.toThrow("the store is away");
  expect(await left()).toEqual([id]);
});

test("entries are still never changed, and never deleted otherwise", async () => {
  await addEntry(400);
  await expect(run(t.db, "delete from audit_log")).rejects.toThrow("never changed");
  await expect(run(t.db, "update audit_log set actor = 'x'")).rejects.toThrow("never changed");
});
