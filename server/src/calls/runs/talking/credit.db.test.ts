import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { checkInvariants } from "../../../platform/checks/check-invariants.ts";
import { createTestDatabase, type TestDatabase } from "../../../platform/database/testing/test-database.ts";
import { toCall } from "../../call-record.ts";
import { commitEnd, commitTalking } from "../commits.ts";
import { commitAttempt } from "../dialing/attempts.ts";
import { LeaseLost, lockOwnCall, registerWorker } from "../lease/lease-store.ts";
import { setScene } from "../testing/call-scene.ts";
import { claimOwn } from "../testing/claim-own.ts";
import { commitBridged, extendHold, paidSeconds } from "./credit.ts";

/** In a country that is dear to call, so that it differs from the callee's own rate. */
const DESK = "+5352345678";
const worker = makeId("worker");
let t: TestDatabase;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
});
afterAll(() => t.close());

async function openTalk(mode: "test" | "live") {
  const scene = await setScene(t.db);
  const id = await scene.place(mode);
  const call = await claimOwn(t.db, worker, id);
  await commitAttempt(t.db, call, { carrier: "simulated", dialId: `${id}.callee`, trunkId: null, record: null });
  await commitTalking(t.db, call, 0);
  return call;
}

async function hangUp(call: Awaited<ReturnType<typeof openTalk>>, talkedMs: number) {
  await commitEnd(t.db, call, {
    decision: { reason: "transferred", by: "callee", isOrderly: true },
    carrierName: "simulated",
    leg: { type: "ended", cause: "hangup", code: null, reason: "", by: "callee" },
    wasSent: true,
    talkedMs,
    agoMs: 0,
  });
  const row = await t.db.selectFrom("calls").selectAll().where("id", "=", call.id).executeTakeFirstOrThrow();
  return toCall(row).cost;
}

test("a transferred call is charged for both legs from then on", async () => {
  const call = await openTalk("live");
  const bridged = await commitBridged(t.db, call, DESK, 29_500);
  expect(bridged.bridged_after_seconds).toBe(30);
  expect(bridged.bridge_per_minute_micros).toBeGreaterThan(call.route_per_minute_micros);
  await extendHold(t.db, call.id, call.fence);
  const cost = await hangUp(call, 60_000);
  const perItem = Object.fromEntries(cost?.lines.map(({ item, seconds }) => [item, seconds]) ?? []);
  expect(perItem).toEqual({ route: 60, engine: 30, transfer: 30 });
  const totalMicros = cost?.lines.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 1e6), 0);
  expect(Math.round(Number(cost?.total) * 1e6)).toBe(totalMicros);
  expect((await checkInvariants(t.db)).results.filter(({ total }) => total > 0)).toEqual([]);
});

test("what is held pays for less time than before, and grows at the new price", async () => {
  const call = await openTalk("live");
  const before = paidSeconds(call);
  const bridged = await commitBridged(t.db, call, DESK, 10_000);
  expect(paidSeconds(bridged)).toBeLessThan(before);
  const grown = await extendHold(t.db, call.id, call.fence);
  expect(grown).toMatchObject({ ok: true });
  if (grown.ok) expect(paidSeconds(grown.call)).toBe(paidSeconds(bridged) + 60);
});

test("a repeated transfer report keeps the first time, and a free call stays free", async () => {
  const call = await openTalk("test");
  await commitBridged(t.db, call, DESK, 5_000);
  expect(await commitBridged(t.db, call, DESK, 9_000)).toMatchObject({ bridged_after_seconds: 5 });
  expect((await hangUp(call, 60_000))?.total).toBe("0.00");
});

test("a worker that has lost its call charges nothing to it", async () => {
  const call = await openTalk("live");
  await expect(commitBridged(t.db, { ...call, fence: call.fence + 1n }, DESK, 5_000)).rejects.toThrow(LeaseLost);
  const locked = await t.db.transaction().execute((tx) => lockOwnCall(tx, call.id, call.fence));
  expect(locked.bridged_after_seconds).toBeNull();
});
