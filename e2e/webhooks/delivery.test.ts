import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { DeliveryDetails } from "@parley/contract/webhook-deliveries";
import { run } from "@parley/server/platform/database/database";
import { signEvent } from "@parley/server/webhooks/sending/sign-event";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimFirst, createKey, dataOf } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { placeCall, QUICK_CALLEE } from "../harness/calls.ts";
import { send } from "../harness/http-client.ts";
import type { ServiceProcess } from "../harness/service-process.ts";

const OPEN = { PARLEY_OUTBOUND_ALLOW: "loopback" };
let world: ApiWorld;
let service: ServiceProcess;
let owner: Awaited<ReturnType<typeof claimFirst>>;
let caller: { url: string; key: string; agentId: string };

beforeAll(async () => {
  world = await openApiWorld();
  service = await world.start({ ...OPEN, PARLEY_ROLES: "api,calls" });
  owner = await claimFirst(service);
  const { key } = await createKey(service.url, owner.cookie);
  const [agent] = dataOf(await send(service.url, { path: "/api/v1/agents", headers: owner.cookie }));
  caller = { url: service.url, key, agentId: agent.id };
  await run(world.db, "update dispatch_lanes set calls_per_second = 1000, concurrency_max = 100");
});
afterAll(() => world?.close());

/** A receiver that records every signed event, and can be slow. */
async function openSlowReceiver() {
  const received: { id: string; body: string; headers: Record<string, string> }[] = [];
  let isSlow = true;
  const server = createServer(async (request, reply) => {
    const body = await text(request);
    received.push({
      id: String(request.headers["webhook-id"]),
      body,
      headers: request.headers as Record<string, string>,
    });
    if (!isSlow) reply.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    hurry() {
      isSlow = false;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const startJobs = () => world.start({ ...OPEN, PARLEY_ROLES: "api,jobs" });

test("no event is lost and none gets another id when the process that delivers is killed in the middle", async () => {
  const receiver = await openSlowReceiver();
  const made = await ask(caller.url, "/api/v1/webhooks", { key: caller.key, body: { url: receiver.url } });
  const { id, secret } = made.body.data as { id: string; secret: string };
  const doomed = await startJobs();
  const calls = await Promise.all(Array.from({ length: 8 }, () => placeCall(caller, "+15550100001", QUICK_CALLEE)));
  // Ten requests are in flight, and the receiver has answered none of them.
  await until(
    async () => receiver.received.length,
    (count) => count >= 10,
    30_000,
  );
  await doomed.end("SIGKILL");
  const interrupted = receiver.received.map((event) => event.id);
  receiver.hurry();
  const heir = await startJobs();
  const reported = await until(
    async () => run<{ id: string; type: string }>(world.db, "select id, type from outbox where mode = 'test'"),
    (rows) => rows.filter(({ type }) => type === "call.completed").length === calls.length,
    60_000,
  );
  await until(
    async () => run<{ status: string }>(world.db, "select status from webhook_deliveries where endpoint_id = $1", [id]),
    (rows) => rows.length >= reported.length && rows.every(({ status }) => status === "delivered"),
    90_000,
  );
  const all = await run<{ id: string; body: string }>(world.db, "select id, body from outbox where mode = 'test'");
  expect(new Set(receiver.received.map((event) => event.id))).toEqual(new Set(all.map((event) => event.id)));
  const bodies = new Map(all.map((event) => [event.id, event.body]));
  for (const { id: eventId, body, headers } of receiver.received) {
    expect(body).toBe(bodies.get(eventId));
    const signed = signEvent(eventId, body, [secret], Number(headers["webhook-timestamp"]) * 1000);
    expect(headers).toMatchObject(signed);
  }
  // What was in flight is delivered again; nothing else is.
  const times = Map.groupBy(receiver.received, (event) => event.id);
  const repeated = [...times].filter(([, requests]) => requests.length > 1).map(([eventId]) => eventId);
  expect(repeated.filter((eventId) => !interrupted.includes(eventId))).toEqual([]);
  const finals = all.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === "call.completed");
  expect(new Set(finals.map(({ data }) => data.call.id))).toEqual(new Set(calls));
  await heir.end();
  await receiver.close();
});

test("the owner is shown the secret, and a key is not", async () => {
  const made = await ask(caller.url, "/api/v1/webhooks", {
    key: caller.key,
    body: { url: "https://app.example/", isEnabled: false },
  });
  const { id, secret } = made.body.data as { id: string; secret: string };
  const path = `/api/v1/webhooks/${id}/secret`;
  expect(dataOf(await send(caller.url, { path, headers: owner.cookie })).secret).toBe(secret);
  expect((await ask(caller.url, path, { key: caller.key })).status).toBe(403);
});

test.each([
  "http://app.example/",
  "http://[::127.0.0.1]/",
  "https://[::127.0.0.1]/",
  "https://[64:ff9b::10.0.0.1]/",
  "https://[64:ff9b:1::a00:1]/",
  "https://[2002:a00:1::]/",
  "https://167772161/",
  "https://012.0.0.1/",
  "https://0xa.1/",
  "https://name:password@app.example/",
  "https://169.254.169.254/",
  "https://[fd00:ec2::254]/",
  "https://app.example:25/",
  "file:///etc/passwd",
])("an endpoint at %s is refused when it is added, with the field and the reason", async (url) => {
  const shut = await strictService();
  const reply = await ask(shut.url, "/api/v1/webhooks", { key: caller.key, body: { url } });
  expect(reply).toMatchObject({ status: 422, body: { error: { code: "validation_failed", param: "url" } } });
  expect(reply.body.error.message.length).toBeGreaterThan(20);
});

test("unless the operator allows it, this machine is unreachable, and a name that resolves to it is a failed attempt", async () => {
  const shut = await strictService();
  for (const url of ["http://127.0.0.1:8080/", "https://127.0.0.1/"]) {
    expect((await ask(shut.url, "/api/v1/webhooks", { key: caller.key, body: { url } })).status).toBe(422);
  }
  const made = await ask(shut.url, "/api/v1/webhooks", { key: caller.key, body: { url: "https://localhost/" } });
  expect(made.status).toBe(200);
  const { id } = made.body.data as { id: string };
  const tested = await ask(shut.url, `/api/v1/webhooks/${id}/test`, { key: caller.key, body: {} });
  const failed = await until(
    async (): Promise<DeliveryDetails> =>
      (await ask(shut.url, `/api/v1/deliveries/${tested.body.data.id}`, { key: caller.key })).body.data,
    ({ attemptCount }) => attemptCount > 0,
    30_000,
  );
  expect(failed.attempts.at(-1)).toMatchObject({ isSuccess: false, status: null });
  expect(failed.attempts.at(-1)?.reason).toContain("not on the public internet");
});

let strict: Promise<ServiceProcess> | null = null;
function strictService(): Promise<ServiceProcess> {
  strict ??= world.start({ PARLEY_ROLES: "api,jobs" });
  return strict;
}
