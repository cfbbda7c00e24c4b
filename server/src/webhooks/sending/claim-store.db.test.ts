import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { type Claims, claimDeliveries, findNextDueMs } from "./claim-store.ts";

const LIMITS = { rowsMax: 512, perEndpointMax: 10, failuresToOpen: 5, leaseMs: 25_000 };
const NOW_MS = Date.parse("2031-01-01T00:00:00Z");
let t: TestDatabase;
const accountId = makeId("account");

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await run(t.db, "insert into accounts (id, name) values ($1, 'Acme')", [accountId]);
});
afterAll(() => t.close());

/** Endpoints in the order of their ids, each with deliveries that have been due for so many seconds. */
async function addEndpoints(letter: string, count: number, deliveries: number, dueSeconds: number): Promise<string[]> {
  const rows = await run<{ id: string }>(
    t.db,
    `insert into webhook_endpoints (id, account_id, mode, url, headers_sealed, secret_sealed)
     select 'whk_' || $2 || lpad(n::text, 25, '0'), $1, 'test', 'https://example.com/', '', '' from generate_series(1, $3::int) n returning id`,
    [accountId, letter, count],
  );
  const ids = rows.map(({ id }) => id);
  await inTransaction(t.db, async (tx) => {
    // Deliveries are made here, and not from the events.
    await run(tx, "set local session_replication_role = replica");
    await run(
      tx,
      `with made as (
       select e.id as endpoint_id, right(e.id, 26) || n as suffix from unnest($2::text[]) e (id), generate_series(1, $3::int) n
     ), events as (
       insert into outbox (id, account_id, mode, type, body) select 'evt_' || suffix, $1, 'test', 'webhook.test', '{}' from made
     )
     insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at)
     select 'dlv_' || suffix, endpoint_id, 'evt_' || suffix, 'webhook.test', 'pending', $4 from made`,
      [accountId, ids, deliveries, new Date(NOW_MS - dueSeconds * 1000)],
    );
  });
  return ids;
}

test("a delivery is found behind hundreds of endpoints that cannot take more, in a round of short looks", async () => {
  const paused = [...(await addEndpoints("a", 1, 150, 300)), ...(await addEndpoints("b", 250, 1, 200))];
  await run(t.db, "update webhook_endpoints set paused_until = $2 where id = any($1)", [
    paused,
    new Date(NOW_MS + 60_000),
  ]);
  const [free] = await addEndpoints("c", 1, 1, 100);

  const found: string[] = [];
  let looks = 0;
  let after: string | null = "";
  while (after !== null && found.length === 0) {
    const { claimed, next }: Claims = await claimDeliveries(t.db, NOW_MS, LIMITS, after);
    found.push(...claimed.map(({ endpoint }) => endpoint.id));
    after = next;
    looks += 1;
  }
  expect(found).toEqual([free]);
  expect(looks).toBe(6);

  // Nothing else: the looks end, wherever they began.
  expect(await claimDeliveries(t.db, NOW_MS, LIMITS, paused[220])).toEqual({ claimed: [], next: "" });
  expect(await findNextDueMs(t.db)).toBe(NOW_MS + 60_000);

  await run(t.db, "update webhook_endpoints set paused_until = null");
  const { claimed } = await claimDeliveries(t.db, NOW_MS, LIMITS);
  expect(new Set(claimed.map(({ endpoint }) => endpoint.id))).toEqual(new Set(paused.slice(0, 50)));
  await run(t.db, "update webhook_deliveries set status = 'delivered', next_attempt_at = null, claimed_until = null");
});

test("where few deliveries are due, one look sees all of them, however many wait for later", async () => {
  await addEndpoints("d", 300, 1, -3600);
  const due = await addEndpoints("e", 5, 8, 10);
  const { claimed, next } = await claimDeliveries(t.db, NOW_MS, { ...LIMITS, perEndpointMax: 2 });
  expect(claimed.map(({ endpoint }) => endpoint.id).toSorted()).toEqual(due.flatMap((id) => [id, id]));
  expect(next).toBeNull();
});
