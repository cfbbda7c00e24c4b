import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { inTransaction, run } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { removeEndpoint } from "./endpoints.ts";
import { forgetOldEvents } from "./outbox-store.ts";
import { openReceiver } from "./testing/open-receiver.ts";
import { openDeliverScene, readDeliveries, setWebhookScene } from "./testing/webhook-scene.ts";

const DAY_MS = 24 * 3600 * 1000;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => database.close());

const countRows = async (table: "outbox" | "webhook_deliveries" | "webhook_attempts" | "webhook_endpoints") =>
  (await run<{ count: number }>(database.db, `select count(*)::int as count from ${table}`))[0]?.count;

test("events, deliveries and attempts are kept for 90 days and forgotten after, but for what still waits", async () => {
  const account = await setWebhookScene(database.db);
  const receiver = await openReceiver();
  const scene = openDeliverScene(database.db);
  const { id } = await account.addEndpoint(receiver.url);
  for (let count = 0; count < 7; count += 1) await account.report();
  await scene.deliver();
  await scene.pass(1000);
  const waiting = await account.report();

  await forgetOldEvents(database.db, Date.now() + 89 * DAY_MS, 2);
  expect([await countRows("outbox"), await countRows("webhook_attempts")]).toEqual([8, 7]);
  await forgetOldEvents(database.db, Date.now() + 91 * DAY_MS, 2);
  expect(await countRows("webhook_attempts")).toBe(0);
  expect((await readDeliveries(database.db, id)).map(({ event_id }) => event_id)).toEqual([waiting]);
  expect(await countRows("outbox")).toBe(1);

  const owner = { accountId: account.accountId, mode: "test" } as const;
  await inTransaction(database.db, (tx) => removeEndpoint(tx, owner, id));
  await forgetOldEvents(database.db, Date.now());
  expect(await countRows("webhook_endpoints")).toBe(1);
  await forgetOldEvents(database.db, Date.now() + 91 * DAY_MS);
  expect([await countRows("outbox"), await countRows("webhook_endpoints")]).toEqual([0, 0]);
  await scene.stop();
  await receiver.close();
});

test("an event that was being committed while its endpoint was disabled is held like the others", async () => {
  const account = await setWebhookScene(database.db);
  const { id } = await account.addEndpoint("http://127.0.0.1:8089/");
  for (let count = 0; count < 5; count += 1) await account.report();
  await run(
    database.db,
    "update webhook_endpoints set is_enabled = false, disabled_reason = 'member', disabled_at = now() where id = $1",
    [id],
  );
  await forgetOldEvents(database.db, Date.now(), 2);
  expect(new Set((await readDeliveries(database.db, id)).map(({ status }) => status))).toEqual(new Set(["held"]));
});

test("removed endpoints are forgotten, however many there are", async () => {
  const account = await setWebhookScene(database.db);
  const owner = { accountId: account.accountId, mode: "test" } as const;
  const before = await countRows("webhook_endpoints");
  for (let count = 0; count < 5; count += 1) {
    const { id } = await account.addEndpoint(`http://127.0.0.1:8089/${count}`);
    await inTransaction(database.db, (tx) => removeEndpoint(tx, owner, id));
  }
  await forgetOldEvents(database.db, Date.now(), 2);
  expect(await countRows("webhook_endpoints")).toBe(before);
});
