import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { inTransaction } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { changeEndpoint } from "../endpoints.ts";
import { replayEvents } from "../routes.ts";
import { openReceiver } from "../testing/open-receiver.ts";
import {
  type DeliverScene,
  loopbackPolicy,
  openDeliverScene,
  readDeliveries,
  readEndpoint,
  secrets,
  setWebhookScene,
} from "../testing/webhook-scene.ts";

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => database.close());

/** An account whose receiver is down from the start, with events every few hours. */
async function beginOutage() {
  const account = await setWebhookScene(database.db);
  const before = await openReceiver();
  const endpoint = await account.addEndpoint(before.url, { eventTypes: ["call.completed"] });
  const watcher = await openReceiver();
  await account.addEndpoint(watcher.url, { eventTypes: ["webhook.disabled"] });
  await before.close();
  const events: string[] = [];
  const live = async (scene: DeliverScene, durationMs: number) => {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 6 * HOUR_MS) {
      events.push(await account.report());
      await scene.deliver();
      await scene.pass(6 * HOUR_MS);
    }
  };
  const owner = { accountId: account.accountId, mode: "test" } as const;
  return { account, owner, endpoint, watcher, events, live, comeBack: () => openReceiver(undefined, before.port) };
}

test("after an outage of four days every event arrives automatically, once", { timeout: 120_000 }, async () => {
  const outage = await beginOutage();
  let scene = openDeliverScene(database.db);
  await outage.live(scene, 2 * DAY_MS);
  // The process that delivers does not live through it either.
  await scene.stop();
  scene = openDeliverScene(database.db, { startMs: scene.clock.now() });
  scene.deliverer.wake();
  await outage.live(scene, 2 * DAY_MS);
  expect(await readEndpoint(database.db, outage.endpoint.id)).toMatchObject({ is_enabled: true });
  expect(scene.notices).toEqual([]);
  const receiver = await outage.comeBack();
  await scene.pass(24 * HOUR_MS + 3 * HOUR_MS);
  expect(receiver.ids().toSorted()).toEqual(outage.events.toSorted());
  expect(await readEndpoint(database.db, outage.endpoint.id)).toMatchObject({ failing_since: null, warned_at: null });
  await scene.stop();
  await receiver.close();
  await outage.watcher.close();
});

test("after an outage of six days nothing is lost: the endpoint was disabled with a notice, and a replay sends everything", {
  timeout: 120_000,
}, async () => {
  const outage = await beginOutage();
  const scene = openDeliverScene(database.db);
  const startedAt = new Date(Date.now() - 1000);
  await outage.live(scene, 6 * DAY_MS);
  const { id } = outage.endpoint;
  const failed = await readEndpoint(database.db, id);
  expect(failed).toMatchObject({ is_enabled: false, disabled_reason: "failing" });
  expect(scene.notices.map(({ kind }) => kind)).toEqual(["failing", "disabled"]);
  const disabledAfterMs = (failed.disabled_at?.getTime() ?? 0) - startedAt.getTime();
  expect(disabledAfterMs).toBeGreaterThan(5 * DAY_MS);
  expect(disabledAfterMs).toBeLessThan(5.5 * DAY_MS);
  expect(outage.watcher.received.map(({ body }) => JSON.parse(body).type)).toEqual(["webhook.disabled"]);
  const waiting = await readDeliveries(database.db, id);
  expect(waiting.map(({ event_id }) => event_id)).toEqual(outage.events);
  expect(waiting.filter(({ status }) => status !== "held" && status !== "failed")).toEqual([]);

  // It is back but not enabled: a requested replay is still sent.
  const receiver = await outage.comeBack();
  const replay = () =>
    inTransaction(database.db, (tx) => replayEvents(tx, outage.owner, id, { since: startedAt.toISOString() }));
  expect(await replay()).toEqual({ eventCount: outage.events.length, nextSince: null });
  await scene.deliver();
  await scene.pass(HOUR_MS);
  expect(receiver.ids().toSorted()).toEqual(outage.events.toSorted());

  const deps = { secrets, policy: loopbackPolicy, nowMs: () => scene.clock.now() };
  await inTransaction(database.db, (tx) => changeEndpoint(deps, tx, outage.owner, id, { isEnabled: true }));
  const fresh = await outage.account.report();
  await scene.deliver();
  expect(receiver.ids().at(-1)).toBe(fresh);
  await scene.stop();
  await receiver.close();
  await outage.watcher.close();
});

test("a replay to an endpoint that is disabled and still dead is tried once, and held again", async () => {
  const outage = await beginOutage();
  const scene = openDeliverScene(database.db);
  const { id } = outage.endpoint;
  const deps = { secrets, policy: loopbackPolicy, nowMs: () => scene.clock.now() };
  await inTransaction(database.db, (tx) => changeEndpoint(deps, tx, outage.owner, id, { isEnabled: false }));
  await outage.account.report();
  await inTransaction(database.db, (tx) => replayEvents(tx, outage.owner, id, { since: "2026-01-01T00:00:00Z" }));
  await scene.deliver();
  await scene.pass(DAY_MS);
  expect(await readDeliveries(database.db, id)).toMatchObject([{ status: "held", attempt_count: 1 }]);
  await scene.stop();
  await outage.watcher.close();
});
