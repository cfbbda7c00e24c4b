import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { postTransfer, readBalance } from "../../accounts/credits/ledger-store.ts";
import { insertEvent } from "../../webhooks/outbox-store.ts";
import { setWebhookScene, type WebhookScene } from "../../webhooks/testing/webhook-scene.ts";
import { checkInvariants } from "../checks/check-invariants.ts";
import { type Database, inTransaction, run, type Tx } from "./database.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

/** As processes of the release before write: they insert the row, and a trigger does the rest. */
const previousRelease = {
  post: (db: Database, accountId: string, micros: bigint) =>
    run(
      db,
      `insert into ledger_transfers (id, account_id, kind, call_id, note, available_micros, held_micros, earned_micros, funded_micros)
       values ($1, $2, 'credit_added', null, '', $3, 0, 0, $4)`,
      [makeId("transfer"), accountId, micros, -micros],
    ),
  async report(db: Database, accountId: string) {
    const id = makeId("event");
    await run(
      db,
      "insert into outbox (id, account_id, mode, type, call_id, sequence, body, endpoint_id) values ($1, $2, 'test', 'webhook.test', null, null, '{}', null)",
      [id, accountId],
    );
    return id;
  },
};

const thisRelease = {
  post: (db: Database, accountId: string, micros: bigint) =>
    inTransaction(db, (tx) =>
      postTransfer(tx, { accountId, kind: "credit_added", availableMicros: micros, fundedMicros: -micros }),
    ),
  async report(db: Database, accountId: string) {
    const id = makeId("event");
    const body = { id, type: "webhook.test", createdAt: new Date().toISOString(), data: {} } as Parameters<
      typeof insertEvent
    >[2];
    await inTransaction(db, (tx) => insertEvent(tx, { accountId, mode: "test" }, body, null));
    return id;
  },
};

let t: TestDatabase;
let scene: WebhookScene;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());
beforeEach(async () => {
  scene = await setWebhookScene(t.db);
  await scene.addEndpoint("https://127.0.0.1/one");
  await scene.addEndpoint("https://127.0.0.1/two");
});

const deliveriesOf = (eventIds: readonly string[]) =>
  run<{ event_id: string; n: number }>(
    t.db,
    "select event_id, count(*)::int as n from webhook_deliveries where event_id = any($1) group by 1",
    [eventIds],
  );
const available = async () => (await readBalance(t.db, scene.accountId)).availableMicros;

describe("while processes of two releases write", () => {
  test("each transfer is applied once, by either of them", async () => {
    const writers = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? previousRelease : thisRelease));
    await Promise.all(writers.map(({ post }, i) => post(t.db, scene.accountId, BigInt(i + 1))));
    expect(await available()).toBe(820n);
    const { results } = await checkInvariants(t.db);
    expect(results.flatMap(({ violations }) => violations)).toEqual([]);
  });

  test("each event is queued once for each endpoint, by either of them", async () => {
    const writers = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? previousRelease : thisRelease));
    const ids = await Promise.all(writers.map(({ report }) => report(t.db, scene.accountId)));
    const rows = await deliveriesOf(ids);
    expect(rows.map(({ event_id }) => event_id).sort()).toEqual([...ids].sort());
    expect(new Set(rows.map(({ n }) => n))).toEqual(new Set([2]));
  });

  test("one function does not affect the next statement of its transaction", async () => {
    const ids = await inTransaction(t.db, async (tx) => {
      const first = await thisRelease.report(tx, scene.accountId);
      await previousRelease.post(tx, scene.accountId, 5n);
      await thisRelease.post(tx, scene.accountId, 7n);
      return [first, await previousRelease.report(tx, scene.accountId)];
    });
    expect(await available()).toBe(12n);
    expect((await deliveriesOf(ids)).map(({ n }) => n)).toEqual([2, 2]);
  });

  test("a refused transfer has no effect either, even when its transaction continues", async () => {
    await inTransaction(t.db, async (tx: Tx) => {
      await run(tx, "savepoint before_refusal");
      await expect(
        run(tx, "select post_transfer($1, $2, 'hold', null, '', -1, 1, 0, 0)", [makeId("transfer"), scene.accountId]),
      ).rejects.toThrow("balance_never_negative");
      await run(tx, "rollback to savepoint before_refusal");
      await previousRelease.post(tx, scene.accountId, 3n);
    });
    expect(await available()).toBe(3n);
  });
});

test("an account without a balance cannot be posted to", async () => {
  await run(t.db, "delete from account_balances where account_id = $1", [scene.accountId]);
  for (const { post } of [thisRelease, previousRelease]) {
    await expect(post(t.db, scene.accountId, 1n)).rejects.toThrow("has no balance");
  }
});
