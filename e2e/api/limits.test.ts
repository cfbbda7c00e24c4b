import { makeApiKey } from "@parley/server/accounts/api-keys/key-format";
import { run } from "@parley/server/platform/database/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byKey, createKey, dataOf, type SignedInMember, signUp } from "../harness/accounts.ts";
import { until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { type CuttableProxy, openCuttableProxy } from "../harness/cuttable-proxy.ts";
import { type HttpReply, send } from "../harness/http-client.ts";
import { sendRaw } from "../harness/raw-socket.ts";

const RATE_LIMIT = 75;

let world: ApiWorld;
let proxy: CuttableProxy;
let owner: SignedInMember;
/** Three processes on one database. The last one reaches it through the proxy. */
let urls: string[];

beforeAll(async () => {
  world = await openApiWorld();
  proxy = await openCuttableProxy(world.databaseUrl);
  const env = { PARLEY_RATE_LIMIT: String(RATE_LIMIT) };
  const first = await world.start(env);
  const others = await Promise.all([world.start(env), world.start({ ...env, DATABASE_URL: proxy.url })]);
  urls = [first, ...others].map(({ url }) => url);
  owner = await signUp(first.url);
});
afterAll(async () => {
  await world?.close();
  await proxy?.close();
});

const at = (index: number): string => urls[index % urls.length] ?? "";
const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("invalid keys", () => {
  test("a key that cannot be one of ours costs the database nothing", async () => {
    const url = at(2);
    const { key } = await createKey(at(0), owner.cookie);
    const badChecksum = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
    const bad = [byKey(badChecksum), byKey("svc_test_short"), byKey(`svc_prod_${key.slice(9)}`), {}];
    // No key was used there yet, so no time of last use is waiting to be written.
    await until(
      async () => {
        const sent = proxy.bytesSent();
        await soon(300);
        return proxy.bytesSent() - sent;
      },
      (bytes) => bytes === 0,
      30_000,
    );
    const idle = proxy.bytesSent();
    const replies = await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        send(url, { path: "/api/v1/account", headers: bad[index % bad.length] ?? {} }),
      ),
    );
    // Beyond a hundred a second from one address they are not even checked.
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect(proxy.bytesSent() - idle).toBe(0);
    // The proxy does see what goes to the database: a well-formed key has to be looked up.
    await send(url, { path: "/api/v1/account", headers: byKey(makeApiKey("test")) });
    expect(proxy.bytesSent() - idle).toBeGreaterThan(0);
  });
});

describe("one Idempotency-Key", () => {
  test("fifty posts at once, over three processes, create one call and get one reply", async () => {
    const headers = { ...byKey((await createKey(at(0), owner.cookie)).key), "idempotency-key": "fifty at once" };
    const agents = dataOf(await send(at(0), { path: "/api/v1/agents", headers: owner.cookie }));
    const json = { phoneNumber: "+15550100001", agentId: agents[0].id };
    const post = async (url: string): Promise<HttpReply> => {
      const reply = await send(url, { path: "/api/v1/calls", headers, json });
      // On a slow machine the first one may take longer than the others wait; they are told to retry.
      return reply.body.error?.code === "idempotency_in_progress" ? post(url) : reply;
    };
    const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => post(at(index))));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers["idempotent-replayed"] === undefined)).toHaveLength(1);
    const [counted] = await run<{ calls: bigint; events: bigint; reports: bigint }>(
      world.db,
      `select (select count(*) from calls where account_id = $1) as calls,
         (select count(*) from call_events) as events, (select count(*) from outbox) as reports`,
      [owner.accountId],
    );
    expect(counted).toEqual({ calls: 1n, events: 1n, reports: 1n });
  });

  test("another way to write the path is not another request", async () => {
    const headers = { ...byKey((await createKey(at(0), owner.cookie)).key), "idempotency-key": "same path" };
    const agents = dataOf(await send(at(0), { path: "/api/v1/agents", headers: owner.cookie }));
    const json = { phoneNumber: "+15550100001", agentId: agents[0].id };
    const first = await send(at(0), { method: "POST", path: "/api/v1/calls", headers, json });
    const second = await send(at(0), { method: "POST", path: "/api/v1/c%61lls", headers, json });
    expect(dataOf(second).id).toBe(dataOf(first).id);
  });

  test("two of them in one request are refused, because either could be meant", async () => {
    const { authorization } = byKey((await createKey(at(0), owner.cookie)).key);
    const body = JSON.stringify({ phoneNumber: "+15550100001", agentId: "agt_none" });
    const lines = [
      "POST /api/v1/calls HTTP/1.1",
      "host: parley.test",
      `authorization: ${authorization}`,
      "content-type: application/json",
      `content-length: ${body.length}`,
      "idempotency-key: one",
      "idempotency-key: two",
      "connection: close",
    ];
    const reply = await sendRaw(Number(new URL(at(0)).port), `${lines.join("\r\n")}\r\n\r\n${body}`);
    expect([reply.status, reply.body.error.details[0].code]).toEqual([422, "sent_twice"]);
  });
});

describe("the rate limit", () => {
  test("three processes together allow as many requests as one would, within five percent", async () => {
    const FULL_SECONDS = 3;
    const account = await signUp(at(0));
    const headers = byKey((await createKey(at(0), account.cookie, { mode: "live" })).key);
    // A request that crosses the end of a second may have been counted in either.
    const seconds = new Map<number, { through: number; crossing: number; refused: number }>();
    const count = (sentMs: number, answeredMs: number, status: number) => {
      const [first, last] = [Math.floor(sentMs / 1000), Math.floor(answeredMs / 1000)];
      for (let second = first; second <= last; second += 1) {
        const counts = seconds.get(second) ?? { through: 0, crossing: 0, refused: 0 };
        if (status === 200) counts[first === last ? "through" : "crossing"] += 1;
        // Clocks differ a little: a refusal right at the beginning may belong to the second before.
        else if (first === last && sentMs % 1000 > 100) counts.refused += 1;
        seconds.set(second, counts);
      }
    };
    // All but the present one, which is not over.
    const full = () => [...seconds.values()].slice(0, -1).filter(({ refused }) => refused > 0);
    const giveUpAtMs = Date.now() + 60_000;
    const hammer = async (url: string) => {
      while (full().length < FULL_SECONDS && Date.now() < giveUpAtMs) {
        const sentMs = Date.now();
        const { status } = await send(url, { path: "/api/v1/engines", headers });
        count(sentMs, Date.now(), status);
        // A refused client that does not pause at all would only measure this process.
        if (status === 429) await soon(5);
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, index) => hammer(at(index))));
    console.log(`limit ${RATE_LIMIT}: ${JSON.stringify([...seconds.values()])}`);
    expect(full().length).toBeGreaterThanOrEqual(FULL_SECONDS);
    for (const { through, crossing } of full()) expect(through + crossing).toBeGreaterThanOrEqual(RATE_LIMIT * 0.95);
    for (const { through } of seconds.values()) expect(through).toBeLessThanOrEqual(RATE_LIMIT * 1.05);
  });
});

describe("revoked keys", () => {
  test("a revoked key is rejected by every process, though each remembers it", async () => {
    const { id, key } = await createKey(at(0), owner.cookie);
    const ask = (url: string) => send(url, { path: "/api/v1/engines", headers: byKey(key) });
    // Every process has just used the key and remembers it.
    const before = await Promise.all(urls.map(ask));
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200]);
    await send(at(0), { method: "DELETE", path: `/api/v1/api-keys/${id}`, headers: owner.cookie });
    await Promise.all(
      urls.map((url) =>
        until(
          async () => (await ask(url)).status,
          (status) => status === 401,
          15_000,
        ),
      ),
    );
    const after = await Promise.all(urls.map(ask));
    expect(after.map(({ body }) => body.error.code)).toEqual(Array(3).fill("invalid_api_key"));
  });
});
