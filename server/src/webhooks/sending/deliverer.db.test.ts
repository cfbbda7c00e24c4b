import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { rotateSecret } from "../endpoints.ts";
import { replayDelivery } from "../routes.ts";
import { accept, answerWith, openReceiver, type Receiver } from "../testing/open-receiver.ts";
import {
  type DeliverScene,
  openDeliverScene,
  readDeliveries,
  readEndpoint,
  readReasons,
  secrets,
  setWebhookScene,
  untilSo,
  type WebhookScene,
} from "../testing/webhook-scene.ts";
import { LEASE_MS } from "./deliverer.ts";

let database: TestDatabase;
let account: WebhookScene;
let receiver: Receiver;
let scene: DeliverScene;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => database.close());
beforeEach(async () => {
  account = await setWebhookScene(database.db);
  receiver = await openReceiver();
  scene = openDeliverScene(database.db);
});
afterEach(async () => {
  await scene.stop();
  await receiver.close();
  // What a test left waiting must not wake the next one's process.
  await run(
    database.db,
    "update webhook_deliveries set status = 'held', next_attempt_at = null where status = 'pending'",
  );
});

describe("an event", () => {
  test("arrives signed, with its frozen body and the endpoint's own headers, and is noted as delivered", async () => {
    const { id, secret } = await account.addEndpoint(receiver.url, { headers: { "X-Token": "abc" } });
    const eventId = await account.report();
    await scene.deliver();
    const [request] = receiver.received;
    expect(request?.headers).toMatchObject({
      "webhook-id": eventId,
      "content-type": "application/json",
      "x-token": "abc",
      "user-agent": "Parley-Webhooks/test",
    });
    expect(new Webhook(secret).verify(request?.body ?? "", { ...request?.headers })).toMatchObject({ id: eventId });
    const [delivery] = await readDeliveries(database.db, id);
    expect(delivery).toMatchObject({ status: "delivered", attempt_count: 1, last_status: 200, next_attempt_at: null });
    expect(await readReasons(database.db, id)).toEqual(["Accepted with 200 OK."]);
    const [attempt] = await run(database.db, "select * from webhook_attempts where delivery_id = $1", [delivery?.id]);
    expect(attempt).toMatchObject({ is_success: true, response_body: "thanks" });
  });

  test("is signed with both secrets for a day after a rotation, and then with the new one alone", async () => {
    const { id, secret } = await account.addEndpoint(receiver.url);
    const deps = { secrets, nowMs: () => scene.clock.now() };
    const owner = { accountId: account.accountId, mode: "test" } as const;
    const rotated = await inTransaction(database.db, (tx) => rotateSecret(deps, tx, owner, id));
    await account.report();
    await scene.deliver();
    await scene.pass(24 * 3600 * 1000);
    await account.report();
    await scene.deliver();
    const [during, after] = receiver.received;
    for (const by of [secret, rotated.secret]) new Webhook(by).verify(during?.body ?? "", { ...during?.headers });
    expect(during?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect(after?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  });

  test("is tried 14 times over five days by a receiver that always fails, each time under the same id", async () => {
    receiver.answer(answerWith(500, {}, "broken"));
    const { id } = await account.addEndpoint(receiver.url);
    const eventId = await account.report();
    const startMs = scene.clock.now();
    await scene.deliver();
    await scene.pass(6 * 24 * 3600 * 1000);
    expect(receiver.ids()).toEqual(Array(14).fill(eventId));
    const timestamps = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
    const hours = ((timestamps.at(-1) ?? 0) * 1000 - startMs) / 3_600_000;
    expect(hours).toBeCloseTo(123.7, 0);
    // Signed again each time, or every late attempt would be refused as too old.
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-signature"])).size).toBe(14);
    const [delivery] = await readDeliveries(database.db, id);
    expect(delivery).toMatchObject({
      status: "failed",
      attempt_count: 14,
      last_reason: expect.stringContaining("500"),
    });
    // One event that an endpoint cannot bear does not cost it the others.
    expect(await readEndpoint(database.db, id)).toMatchObject({ is_enabled: true });
  });

  test("that failed permanently can be replayed, and is then attempted again", async () => {
    receiver.answer(answerWith(500));
    const { id } = await account.addEndpoint(receiver.url);
    const eventId = await account.report();
    await scene.deliver();
    await scene.pass(6 * 24 * 3600 * 1000);
    receiver.answer(accept);
    const [failed] = await readDeliveries(database.db, id);
    const owner = { accountId: account.accountId, mode: "test" } as const;
    await inTransaction(database.db, (tx) => replayDelivery(tx, owner, failed?.id ?? ""));
    await scene.deliver();
    expect(receiver.ids()).toEqual(Array(15).fill(eventId));
    const [replayed] = await readDeliveries(database.db, id);
    expect(replayed).toMatchObject({ id: failed?.id, status: "delivered", attempt_count: 15 });
  });
});

describe("a receiver", () => {
  const firstReason = async (id: string) => (await readReasons(database.db, id))[0];
  const secondTryInMs = async (id: string) => {
    const [row] = await readDeliveries(database.db, id);
    return Number(row?.next_attempt_at) - scene.clock.now();
  };

  test.each([
    [
      301,
      { location: "https://elsewhere.example/" },
      "The endpoint answered 301 Moved Permanently; redirects are not followed.",
    ],
    [404, {}, "The endpoint answered 404 Not Found."],
    [500, {}, "The endpoint answered 500 Internal Server Error."],
    [599, {}, "The endpoint answered 599."],
  ])("that answers %i is tried again after five seconds", async (status, headers, reason) => {
    receiver.answer(answerWith(status, headers as Record<string, string>));
    const { id } = await account.addEndpoint(receiver.url);
    await account.report();
    await scene.deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await firstReason(id)).toBe(reason);
    expect(await secondTryInMs(id)).toBe(5000);
  });

  test.each([429, 503])("that answers %i with Retry-After gets the requested time", async (status) => {
    receiver.answer(answerWith(status, { "retry-after": "90" }));
    const { id } = await account.addEndpoint(receiver.url);
    await account.report();
    await scene.deliver();
    expect(await secondTryInMs(id)).toBe(90_000);
    await account.report();
    await scene.pass(89_000);
    expect(receiver.received).toHaveLength(1);
    receiver.answer(accept);
    await scene.pass(2000);
    expect(new Set(receiver.ids()).size).toBe(2);
  });

  test("that answers 410 is sent nothing more, its owners are notified, and pending events are held", async () => {
    receiver.answer(answerWith(410));
    const { id } = await account.addEndpoint(receiver.url, { eventTypes: ["call.completed"] });
    const other = await openReceiver();
    const told = await account.addEndpoint(other.url, { eventTypes: ["webhook.disabled"] });
    await account.report();
    await scene.deliver();
    expect(await readEndpoint(database.db, id)).toMatchObject({ is_enabled: false, disabled_reason: "gone" });
    await account.report();
    await scene.deliver();
    expect(receiver.received).toHaveLength(1);
    expect((await readDeliveries(database.db, id)).map(({ status }) => status)).toEqual(["held", "held"]);
    expect(scene.notices).toMatchObject([{ kind: "disabled", reason: "gone", endpoint: { id } }]);
    expect(JSON.parse(other.received[0]?.body ?? "{}")).toMatchObject({
      type: "webhook.disabled",
      sequence: null,
      data: { webhook: { id }, reason: "gone" },
    });
    expect((await readDeliveries(database.db, told.id)).map(({ status }) => status)).toEqual(["delivered"]);
    await other.close();
  });

  test("that is not running is distinguished from one that answers, and the event waits", async () => {
    const gone = await openReceiver();
    await gone.close();
    const { id } = await account.addEndpoint(gone.url);
    await account.report();
    await scene.deliver();
    const [delivery] = await readDeliveries(database.db, id);
    expect(delivery).toMatchObject({ status: "pending", last_status: null, attempt_count: 1 });
    expect(await firstReason(id)).toMatch(/127\.0\.0\.1/);
  });

  test("that never answers is abandoned after 15 seconds", async () => {
    receiver.answer(() => undefined);
    const { id } = await account.addEndpoint(receiver.url);
    await account.report();
    scene.deliverer.wake();
    await untilSo(() => receiver.received.length === 1);
    await scene.clock.advance(15_000);
    await scene.deliverer.settled();
    expect(await firstReason(id)).toMatch(/within 1[45] seconds/);
  });

  test("that accepts and then trickles its body endlessly has still accepted", async () => {
    receiver.answer((_request, reply) => void reply.writeHead(200).write("drip"));
    const { id } = await account.addEndpoint(receiver.url);
    await account.report();
    scene.deliverer.wake();
    await untilSo(() => scene.repliesBegun() === 1);
    await scene.clock.advance(15_000);
    await scene.deliverer.settled();
    expect((await readDeliveries(database.db, id))[0]).toMatchObject({ status: "delivered", last_status: 200 });
  });

  test("that sends a huge body is heard out for 16 KiB only", async () => {
    receiver.answer(answerWith(200, {}, "x".repeat(3_000_000)));
    const { id } = await account.addEndpoint(receiver.url);
    await account.report();
    await scene.deliver();
    const [row] = await run<{ bytes: number }>(
      database.db,
      "select octet_length(response_body) as bytes from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id where d.endpoint_id = $1",
      [id],
    );
    expect(row?.bytes).toBe(16 * 1024);
    expect((await readDeliveries(database.db, id))[0]).toMatchObject({ status: "delivered" });
  });

  test("that answers with bytes no database takes as text does no harm", async () => {
    receiver.answer((_request, reply) => void reply.writeHead(500).end(Buffer.from([0, 255, 254, 0, 65])));
    const { id } = await account.addEndpoint(receiver.url);
    await account.report();
    await scene.deliver();
    expect(await firstReason(id)).toContain("500");
  });

  test("that speaks no HTTP, or breaks off, is a failed attempt in words", async () => {
    const rude = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end("SSH-2.0-rude\r\n"));
    });
    rude.listen(0, "127.0.0.1");
    await once(rude, "listening");
    const { id } = await account.addEndpoint(`http://127.0.0.1:${(rude.address() as AddressInfo).port}/`);
    const broken = await account.addEndpoint(`https://127.0.0.1:${(rude.address() as AddressInfo).port}/`);
    await account.report();
    await scene.deliver();
    expect(await firstReason(id)).toMatch(/HTTP/);
    expect(await firstReason(broken.id)).toMatch(/TLS/);
    rude.close();
  });

  test("whose name resolves to an internal address since it was saved is not reached", async () => {
    const rebinding = openDeliverScene(database.db, { outbound: { resolve: async () => ["10.0.0.7"] } });
    const { id } = await account.addEndpoint("https://app.example/");
    await account.report();
    await rebinding.deliver();
    expect(await firstReason(id)).toBe("app.example leads to an address that is not on the public internet.");
    await rebinding.stop();
  });
});

test("a secret sealed under another installation's key is a failed attempt that says what to do", async () => {
  const lost = await account.addEndpoint(receiver.url);
  await run(database.db, "update webhook_endpoints set headers_sealed = '\\x00' where id = $1", [lost.id]);
  const other = await account.addEndpoint(receiver.url);
  await run(database.db, "update webhook_endpoints set secret_sealed = '\\x00' where id = $1", [other.id]);
  await account.report();
  await scene.deliver();
  expect(await readReasons(database.db, lost.id)).toEqual([
    "The stored headers of the endpoint cannot be read. Enter them again.",
  ]);
  expect(await readReasons(database.db, other.id)).toEqual([
    "The stored secret of the endpoint cannot be read. Rotate it.",
  ]);
  expect(receiver.received).toEqual([]);
});

test("an attempt that the database rejects does not keep others from being written", async () => {
  const poison = await account.addEndpoint("http://127.0.0.1:8089/poison");
  const good = await account.addEndpoint(receiver.url);
  const poisoned = openDeliverScene(database.db, {
    failWith: (url) => (url.endsWith("/poison") ? "no database takes this: \0" : null),
    expects: (error) => String(error).includes("invalid byte sequence"),
  });
  await account.report();
  await poisoned.deliver();
  expect(await readDeliveries(database.db, good.id)).toMatchObject([{ status: "delivered" }]);
  expect(await readDeliveries(database.db, poison.id)).toMatchObject([{ status: "pending", attempt_count: 0 }]);
  await poisoned.stop();
});

describe("one endpoint", () => {
  test("gets at most ten concurrent requests, and other endpoints do not wait for it", async () => {
    const held: (() => void)[] = [];
    receiver.answer((_request, reply) => void held.push(() => reply.writeHead(200).end()));
    await account.addEndpoint(receiver.url);
    const neighbour = await openReceiver();
    await account.addEndpoint(neighbour.url);
    for (let count = 0; count < 30; count += 1) await account.report();
    scene.deliverer.wake();
    await untilSo(() => receiver.received.length === 10);
    for (let turn = 0; turn < 10; turn += 1) {
      await untilSo(() => neighbour.received.length >= Math.min(30, 10 + turn * 10));
      await scene.clock.advance(15);
    }
    await untilSo(() => neighbour.received.length === 30);
    expect(receiver.received).toHaveLength(10);
    receiver.answer(accept);
    for (const release of held) release();
    await scene.pass(1000);
    expect(new Set(receiver.ids()).size).toBe(30);
    await neighbour.close();
  });

  test("that is dead is asked one thing at a time, and gets everything soon after it is back", async () => {
    const { id } = await account.addEndpoint(receiver.url);
    receiver.answer(answerWith(500));
    for (let count = 0; count < 40; count += 1) await account.report();
    await scene.deliver();
    await scene.pass(60_000);
    const askedWhileDead = receiver.received.length;
    // Ten concurrent ones failed; after that one at a time, after 10, 20, 40 seconds.
    expect(askedWhileDead).toBeLessThan(16);
    receiver.answer(accept);
    await scene.pass(6 * 60_000);
    expect((await readDeliveries(database.db, id)).every(({ status }) => status === "delivered")).toBe(true);
    expect(receiver.received.length).toBe(askedWhileDead + 40);
  });
});

describe("two processes", () => {
  test("share the work without duplicates, and together respect the limit of ten concurrent requests", async () => {
    let atOnce = 0;
    let most = 0;
    receiver.answer((_request, reply) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      setImmediate(() => {
        atOnce -= 1;
        reply.writeHead(204).end();
      });
    });
    await account.addEndpoint(receiver.url);
    const events: string[] = [];
    for (let count = 0; count < 60; count += 1) events.push(await account.report());
    const second = openDeliverScene(database.db, { startMs: scene.clock.now() });
    for (let round = 0; round < 60 && receiver.received.length < events.length; round += 1) {
      await Promise.all([scene.deliver(), second.deliver()]);
    }
    expect(receiver.ids().toSorted()).toEqual(events.toSorted());
    expect(most).toBeLessThanOrEqual(10);
    await second.stop();
  });

  test("one that dies in the middle of an attempt leaves it to the other, under the same id", async () => {
    receiver.answer(() => undefined);
    const { id } = await account.addEndpoint(receiver.url);
    const eventId = await account.report();
    scene.deliverer.wake();
    await untilSo(() => receiver.received.length === 1);
    // From here on the first one is as good as dead: it never writes anything down.
    const other = openDeliverScene(database.db, { startMs: scene.clock.now() });
    receiver.answer(accept);
    await other.deliver();
    expect(receiver.received).toHaveLength(1);
    await other.pass(LEASE_MS + 1000);
    expect(receiver.ids()).toEqual([eventId, eventId]);
    expect((await readDeliveries(database.db, id))[0]).toMatchObject({ status: "delivered", attempt_count: 1 });
    await other.stop();
  });

  test("a late result for a claim that another process has taken over changes nothing", async () => {
    let answerFirst: () => void = () => undefined;
    receiver.answer((_request, reply) => {
      answerFirst = () => void reply.writeHead(500).end();
    });
    const { id } = await account.addEndpoint(receiver.url);
    await account.report();
    scene.deliverer.wake();
    await untilSo(() => receiver.received.length === 1);
    const other = openDeliverScene(database.db, { startMs: scene.clock.now() + LEASE_MS + 1 });
    receiver.answer(accept);
    await other.deliver();
    answerFirst();
    await scene.deliverer.settled();
    expect((await readDeliveries(database.db, id))[0]).toMatchObject({ status: "delivered", attempt_count: 2 });
    await other.stop();
  });
});

test("a process that stops returns unanswered deliveries untried", async () => {
  receiver.answer(() => undefined);
  const { id } = await account.addEndpoint(receiver.url);
  await account.report();
  scene.deliverer.wake();
  await untilSo(() => receiver.received.length === 1);
  await scene.stop();
  expect((await readDeliveries(database.db, id))[0]).toMatchObject({
    status: "pending",
    attempt_count: 0,
    try_count: 0,
    claimed_until: null,
    next_attempt_at: Number.NEGATIVE_INFINITY,
  });
  scene = openDeliverScene(database.db);
  receiver.answer(accept);
  await scene.deliver();
  expect((await readDeliveries(database.db, id))[0]).toMatchObject({ status: "delivered", attempt_count: 1 });
});
