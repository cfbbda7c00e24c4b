import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { checkInvariants } from "../../../platform/checks/check-invariants.ts";
import { type Database, inTransaction, openDatabase, run } from "../../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../../platform/database/testing/test-database.ts";
import { registerWorker } from "../lease/lease-store.ts";
import { setScene } from "../testing/call-scene.ts";
import { end } from "../testing/simulated-steps.ts";
import { claimCalls } from "./worker.ts";

let t: TestDatabase;
const worker = makeId("worker");

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
});
afterAll(() => t.close());

const waitingLanes = (accountId: string) =>
  run<{ is_ready: boolean; due_at: Date }>(t.db, "select * from waiting_lanes where account_id = $1", [accountId]);

const checkedCounts = async () =>
  (await checkInvariants(t.db)).results.filter(({ name, total }) => name.startsWith("lanes_count_") && total > 0);

async function claimIds(slots = 100): Promise<string[]> {
  return (await claimCalls(t.db, worker, slots)).map(({ call }) => call.id);
}

/** Another call like a given one. */
async function insertLike(db: Database, callId: string, dueAt = "now()"): Promise<string> {
  const id = makeId("call");
  await run(
    db,
    `insert into calls select (jsonb_populate_record(c, jsonb_build_object('id', $2::text, 'state', 'queued', 'fence', 0, 'due_at', ${dueAt}))).*
     from calls c where id = $1`,
    [callId, id],
  );
  return id;
}

describe("a lane", () => {
  test("is forgotten when its queue is empty, and known again with the next call", async () => {
    const scene = await setScene(t.db);
    const first = await scene.place("test");
    expect(await claimIds()).toEqual([first]);
    expect(await claimIds()).toEqual([]);
    expect(await waitingLanes(scene.accountId)).toEqual([]);
    const second = await scene.place("test");
    expect(await claimIds()).toEqual([second]);
  });

  test("whose calls are locked by another statement does not keep those of other lanes waiting", async () => {
    const [first, second] = [await setScene(t.db), await setScene(t.db)];
    const [locked, free] = [await first.place("test"), await second.place("test")];
    await run(t.db, "update waiting_lanes set served_at = '-infinity' where account_id = $1", [first.accountId]);
    await inTransaction(t.db, async (tx) => {
      await run(tx, "select 1 from calls where id = $1 for update", [locked]);
      expect(await claimIds()).toEqual([free]);
      expect(await claimIds()).toEqual([]);
    });
    expect(await claimIds()).toEqual([locked]);
    expect(await checkedCounts()).toEqual([]);
  });

  test("is kept while a request that saw it has not committed, so that its call is not forgotten", async () => {
    const scene = await setScene(t.db);
    const first = await scene.place("test");
    const committed = Promise.withResolvers<void>();
    const inserted = Promise.withResolvers<string>();
    const request = inTransaction(t.db, async (tx) => {
      inserted.resolve(await insertLike(tx, first));
      await committed.promise;
    });
    const second = await inserted.promise;
    expect(await claimIds()).toEqual([first]);
    // Nothing is left that anyone but the request can see.
    expect(await claimIds()).toEqual([]);
    committed.resolve();
    await request;
    expect(await claimIds()).toEqual([second]);
  });

  test("with nothing but scheduled calls is put off until the first is due, or until one comes that is due at once", async () => {
    const scene = await setScene(t.db);
    const first = await scene.place("test");
    await claimIds();
    const later = await insertLike(t.db, first, "now() + interval '2 hours'");
    await insertLike(t.db, first, "now() + interval '3 hours'");
    expect(await claimIds()).toEqual([]);
    const [lane] = await waitingLanes(scene.accountId);
    expect(lane?.is_ready).toBe(false);
    const at = await run<{ due_at: Date }>(t.db, "select due_at from calls where id = $1", [later]);
    expect(lane?.due_at).toEqual(at[0]?.due_at);
    const now = await scene.place("test");
    expect(await claimIds()).toEqual([now]);
    await run(t.db, "update calls set due_at = now() - interval '1 second' where id = $1", [later]);
    expect(await claimIds()).toEqual([later]);
  });

  test("at its limit is left alone until one of its calls ends or the limit is raised", async () => {
    const scene = await setScene(t.db, { concurrencyMax: 1 });
    const [first, second, third] = [await scene.place("test"), await scene.place("test"), await scene.place("test")];
    const [claimed] = await claimCalls(t.db, worker, 100);
    expect(claimed?.call.id).toBe(first);
    expect(await claimIds()).toEqual([]);
    expect(await waitingLanes(scene.accountId)).toMatchObject([{ is_ready: false }]);
    if (claimed) await end(t.db, claimed.call, { reason: "busy", by: "callee", isOrderly: false });
    expect(await claimIds()).toEqual([second]);
    expect(await claimIds()).toEqual([]);
    await run(t.db, "update dispatch_lanes set concurrency_max = 2 where account_id = $1", [scene.accountId]);
    expect(await claimIds()).toEqual([third]);
  });

  test("beyond its pace is left alone until its next call may be sent", async () => {
    const scene = await setScene(t.db, { callsPerSecond: 0.01 });
    const first = await scene.place("test");
    const second = await scene.place("test");
    expect(await claimIds()).toEqual([first]);
    expect(await claimIds()).toEqual([]);
    await run(t.db, "update dispatch_lanes set calls_per_second = 100, next_send_at = now() where account_id = $1", [
      scene.accountId,
    ]);
    expect(await claimIds()).toEqual([second]);
  });
});

test("a call of an account without a lane is refused", async () => {
  const scene = await setScene(t.db);
  const first = await scene.place("test");
  await claimIds();
  await claimIds();
  await run(t.db, "delete from queued_counts where account_id = $1", [scene.accountId]);
  await run(t.db, "delete from dispatch_lanes where account_id = $1", [scene.accountId]);
  await expect(insertLike(t.db, first)).rejects.toThrow("foreign key");
});

test("a full queue refuses calls, and takes them again when some have left it", async () => {
  const scene = await setScene(t.db, { queuedMax: 2 });
  await scene.place("test");
  await scene.place("test");
  await expect(scene.place("test")).rejects.toMatchObject({ code: "queue_full" });
  expect(await claimIds()).toHaveLength(2);
  await scene.place("test");
});

const seed = Number(process.env["WAITING_SEED"] ?? Math.floor(Math.random() * 2 ** 32));

test(`no call is forgotten, claimed twice or miscounted when requests and workers meet (WAITING_SEED=${seed})`, async () => {
  console.log(`WAITING_SEED=${seed}`);
  let state = seed >>> 0;
  const below = (max: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
  const scenes = await Promise.all(Array.from({ length: 4 }, () => setScene(t.db, { concurrencyMax: 1000 })));
  const placed: string[] = [];
  const claimed: string[] = [];
  let placing = 6;
  const db = openDatabase({
    url: t.url,
    connectionsMax: 12,
    applicationName: "parley-test",
    onIdleError: () => undefined,
  });
  const place = async () => {
    for (let count = 0; count < 25; count += 1) {
      const scene = scenes[below(scenes.length)];
      if (scene) placed.push(await scene.place(below(2) === 0 ? "test" : "live"));
    }
    placing -= 1;
  };
  const claim = async () => {
    const id = makeId("worker");
    await registerWorker(db, id, 100);
    for (let empty = 0; placing > 0 || empty < 2; ) {
      const calls = await claimCalls(db, id, 1 + below(3));
      claimed.push(...calls.map(({ call }) => call.id));
      empty = calls.length === 0 ? empty + 1 : 0;
    }
  };
  await Promise.all([...Array.from({ length: 6 }, place), ...Array.from({ length: 6 }, claim)]);
  // What was locked by another worker when one looked is left to the next look.
  for (let more = await claimIds(); more.length > 0; more = await claimIds()) claimed.push(...more);
  await db.destroy();
  const ours = claimed.filter((id) => placed.includes(id));
  expect(ours.toSorted()).toEqual(placed.toSorted());
  const { results } = await checkInvariants(t.db);
  const names = ["lanes_count_queued_calls", "waiting_calls_are_looked_at", "blocked_lanes_are_full"];
  const ofQueues = results.filter(({ name }) => names.includes(name));
  expect(ofQueues.map(({ name, total }) => [name, total])).toEqual(names.map((name) => [name, 0]));
});
