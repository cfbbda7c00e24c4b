import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { run } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { findCall } from "./call-store.ts";
import { registerWorker } from "./runs/lease/lease-store.ts";
import { setScene } from "./runs/testing/call-scene.ts";
import { reportHeadroom } from "./runs/worker/headroom/headroom-store.ts";
import { readCapacity, toCallsWithWaiting } from "./waiting.ts";

let t: TestDatabase;
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());
beforeEach(async () => {
  await run(t.db, "delete from workers");
  await run(t.db, "update calls set due_at = now() + interval '1 day' where state = 'queued'");
});

async function placeOne() {
  const scene = await setScene(t.db);
  const id = await scene.place("test");
  const lane = (change: string) =>
    run(t.db, `update dispatch_lanes set ${change} where account_id = $1 and mode = 'test'`, [scene.accountId]);
  const readRow = async () => {
    const row = await findCall(t.db, scene.accountId, "test", id);
    if (row === null) throw new Error("the call is gone");
    return row;
  };
  const readWaiting = async () => (await toCallsWithWaiting(t.db, [await readRow()]))[0]?.waiting;
  const readReason = async () => {
    return (await readWaiting())?.reason ?? null;
  };
  return { id, lane, readReason, readRow, readWaiting };
}

const openWorker = async (limit: Parameters<typeof reportHeadroom>[2]["limit"] = null) => {
  await registerWorker(t.db, "wrk_one", 10);
  await reportHeadroom(t.db, "wrk_one", { held: 10, callsMax: 10, limit });
};

test("a call that waits for a process to conduct it says so", async () => {
  const { readReason } = await placeOne();
  expect(await readReason()).toBe("no_worker");
  await openWorker();
  await run(t.db, "update workers set seen_at = now() - interval '1 minute'");
  expect(await readReason()).toBe("no_worker");
});

test("a call that waits for the limits of its account says which", async () => {
  const { lane, readReason } = await placeOne();
  await openWorker();
  await lane("next_send_at = now() + interval '1 minute'");
  expect(await readReason()).toBe("rate_limit");
  await lane("concurrency_max = 0");
  expect(await readReason()).toBe("concurrency_limit");
});

test("a call that waits for machines says so, and the metrics count it", async () => {
  const { readReason } = await placeOne();
  await openWorker({ because: "recognition_load" });
  expect(await readReason()).toBe("capacity");
  expect(await readCapacity(t.db)).toEqual({
    workers: [{ id: "wrk_one", calls: 10, callsMax: 10, limit: "recognition_load" }],
    waiting: [{ reason: "capacity", calls: 1 }],
  });
});

test("a call that is about to be dialed waits for nothing else", async () => {
  const { readReason } = await placeOne();
  await openWorker();
  expect(await readReason()).toBe("next");
});

test("a call that a process has, but has not dialed, says that its agent is being prepared", async () => {
  const { id, readWaiting } = await placeOne();
  await openWorker({ because: "recognition_load" });
  await run(t.db, "update calls set state = 'claimed' where id = $1", [id]);
  expect(await readWaiting()).toEqual({ reason: "next", explanation: expect.stringContaining("being prepared") });
});

test("a call that is scheduled, rings or has ended waits for nothing", async () => {
  const { readRow } = await placeOne();
  const row = await readRow();
  const others = [
    { ...row, scheduled_at: new Date() },
    ...(["ringing", "ended"] as const).map((state) => ({ ...row, state })),
  ];
  expect((await toCallsWithWaiting(t.db, others)).map(({ waiting }) => waiting)).toEqual([null, null, null]);
});
