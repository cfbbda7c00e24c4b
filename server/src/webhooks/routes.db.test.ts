import { makeId } from "@parley/contract/ids";
import { Delivery, DeliveryDetails, Replay } from "@parley/contract/webhook-deliveries";
import { CreatedWebhookEndpoint, WebhookEndpoint, WebhookSecret } from "@parley/contract/webhook-endpoints";
import { TestWebhookBody } from "@parley/contract/webhooks";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { run } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient, walkPages } from "../platform/http/testing/open-test-api.ts";
import { makePolicy } from "../platform/outbound-http/outbound-policy.ts";
import { webhookRoutes } from "./routes.ts";
import { secrets } from "./testing/webhook-scene.ts";

const URL = "https://app.example/events";
const UNKNOWN = "whk_01k8m3v9zq4t6w8y0a2c4e6g8j";
let database: TestDatabase;
let api: TestApi;
let ours: TestClient;
let theirs: TestClient;
let nowMs = Date.now();

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  const policy = makePolicy({ allow: [], deny: [], ports: [443, 8443] });
  api = openTestApi(database.db, (cursors) =>
    webhookRoutes({ db: database.db, cursors, secrets, policy, nowMs: () => nowMs }),
  );
  ours = await api.addAccount("Ours");
  theirs = await api.addAccount("Theirs");
});
afterAll(async () => {
  await api.close();
  await database.close();
});

const add = async (client: TestClient, more: object = {}) =>
  (await client.send("POST", "/webhooks", { body: { url: URL, ...more } })).read(CreatedWebhookEndpoint);

let count = 0;
async function report(
  client: TestClient,
  type = "call.completed",
  createdAt = new Date(),
  callId: string | null = null,
): Promise<string> {
  const id = `evt_${String(count++).padStart(26, "0")}`;
  await run(
    database.db,
    `insert into outbox (id, account_id, mode, type, body, created_at, call_id)
     values ($1, $2, 'test', $3, '{}', $4, $5)`,
    [id, client.accountId, type, createdAt, callId],
  );
  return id;
}

describe("an endpoint", () => {
  it("is created with its own secret, and shown without it afterwards", async () => {
    const made = await add(ours, { description: "Orders", headers: { Authorization: "Bearer hunter2" } });
    expect(made.secret).toMatch(/^whsec_/);
    const reply = await ours.send("GET", `/webhooks/${made.id}`);
    expect(reply.read(WebhookEndpoint)).toMatchObject({
      url: URL,
      eventTypes: null,
      description: "Orders",
      headerNames: ["Authorization"],
      isEnabled: true,
      mode: "test",
    });
    expect(JSON.stringify(reply.body)).not.toMatch(/whsec_|hunter2/);
  });

  it("keeps its secret and the values of its headers unreadable in the database", async () => {
    const made = await add(ours, { headers: { "X-Token": "hunter2" } });
    const [row] = await run<{ text: string }>(
      database.db,
      "select row_to_json(e)::text as text from webhook_endpoints e where id = $1",
      [made.id],
    );
    const hex = (value: string) => Buffer.from(value).toString("hex");
    for (const secret of [made.secret, hex(made.secret), "hunter2", hex("hunter2")])
      expect(row?.text).not.toContain(secret);
  });

  it("is changed field by field, and removed permanently", async () => {
    const { id } = await add(ours);
    const changed = await ours.send("PATCH", `/webhooks/${id}`, { body: { eventTypes: ["call.failed"] } });
    expect(changed.read(WebhookEndpoint)).toMatchObject({ eventTypes: ["call.failed"], url: URL });
    expect((await ours.send("PATCH", `/webhooks/${id}`, { body: {} })).status).toBe(422);
    expect((await ours.send("DELETE", `/webhooks/${id}`)).status).toBe(200);
    for (const reply of [
      await ours.send("GET", `/webhooks/${id}`),
      await ours.send("DELETE", `/webhooks/${id}`),
      await ours.send("POST", `/webhooks/${id}/test`),
      await ours.send("GET", `/webhooks/${id}/deliveries`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    }
  });

  it("with headers needs them again when its host changes, so that they cannot be sent elsewhere", async () => {
    const { id } = await add(ours, { url: "https://one.example/in", headers: { authorization: "Bearer secret" } });
    const change = async (body: object) => {
      const { status, body: reply } = await ours.send("PATCH", `/webhooks/${id}`, { body });
      return [status, reply.error?.param ?? null];
    };
    for (const url of ["https://two.example/in", "https://one.example:8443/in", "https://sub.one.example/in"])
      expect(await change({ url }), url).toEqual([422, "headers"]);
    expect((await ours.send("GET", `/webhooks/${id}`)).read(WebhookEndpoint).url).toBe("https://one.example/in");
    expect(await change({ url: "https://one.example/other" })).toEqual([200, null]);
    expect(await change({ url: "https://two.example/in", headers: { "x-new": "1" } })).toEqual([200, null]);
    expect(await change({ url: "https://three.example/in", headers: {} })).toEqual([200, null]);
    expect(await change({ url: "https://four.example/in" })).toEqual([200, null]);
  });

  it("of another account or mode is exactly one that does not exist", async () => {
    const { id } = await add(theirs);
    const paths = [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/rotate-secret"],
      ["POST", "/test"],
      ["GET", "/deliveries"],
      ["POST", "/replay?since=2026-01-01T00:00:00Z"],
    ] as const;
    for (const [method, path] of paths) {
      const other = await ours.send(method, `/webhooks/${id}${path}`);
      const unknown = await ours.send(method, `/webhooks/${UNKNOWN}${path}`);
      const otherMode = await theirs.send(method, `/webhooks/${id}${path}`, { mode: "live" });
      expect(other).toMatchObject({ status: 404, body: { error: { message: unknown.body.error?.message } } });
      expect(otherMode.status).toBe(404);
    }
    expect((await theirs.send("GET", `/webhooks/${id}`)).status).toBe(200);
  });

  it("is one of at most twenty in each mode, even with concurrent requests", async () => {
    const crowd = await api.addAccount("Crowd");
    const replies = await Promise.all(
      Array.from({ length: 25 }, () => crowd.send("POST", "/webhooks", { body: { url: URL } })),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(5).fill(409)]);
    expect((await crowd.send("POST", "/webhooks", { body: { url: URL }, mode: "live" })).status).toBe(200);
    expect(await walkPages(crowd, "/webhooks", 7, WebhookEndpoint)).toHaveLength(20);
  });

  it.each([
    ["http://app.example/events", "plain http"],
    ["ftp://app.example/", "another scheme"],
    ["https://me:secret@app.example/", "a password in the URL"],
    ["https://127.0.0.1/", "this machine"],
    ["https://[::127.0.0.1]/", "this machine, as IPv4-compatible IPv6"],
    ["https://[::ffff:7f00:1]/", "this machine, as IPv4-mapped IPv6"],
    ["https://[64:ff9b::7f00:1]/", "this machine, through NAT64"],
    ["https://[2002:7f00:1::]/", "this machine, through 6to4"],
    ["https://2130706433/", "this machine, as a decimal number"],
    ["https://0177.0.0.1/", "this machine, in octal"],
    ["https://0x7f.1/", "this machine, in hexadecimal"],
    ["https://10.0.0.1/", "a private network"],
    ["https://169.254.169.254/latest/meta-data/", "a cloud's credentials"],
    ["https://app.example:22/", "a port that speaks something else"],
    ["https://app.example:5432/", "a port that is not for webhooks"],
    ["not a url", "no URL at all"],
  ])("is refused at %s: %s", async (url) => {
    const created = await ours.send("POST", "/webhooks", { body: { url } });
    expect(created).toMatchObject({ status: 422, body: { error: { code: "validation_failed", param: "url" } } });
    const { id } = await add(theirs);
    expect((await theirs.send("PATCH", `/webhooks/${id}`, { body: { url } })).status).toBe(422);
    await theirs.send("DELETE", `/webhooks/${id}`);
  });

  it.each([
    [{ "webhook-signature": "v1,mine" }],
    [{ "Content-Length": "3" }],
    [{ host: "inside" }],
    [{ "X-Bad\r\nInjected": "1" }],
    [{ "X-Bad": "a\r\nInjected: 1" }],
    [{ "X-A": "1", "x-a": "2" }],
  ])("is refused with headers that could pass for something else: %j", async (headers) => {
    const reply = await ours.send("POST", "/webhooks", { body: { url: URL, headers } });
    expect(reply).toMatchObject({ status: 422, body: { error: { param: "headers" } } });
  });
});

describe("a secret", () => {
  it("is rotated, and the old one counts for a day more", async () => {
    const made = await add(ours);
    const rotated = (await ours.send("POST", `/webhooks/${made.id}/rotate-secret`)).read(WebhookSecret);
    expect(rotated.secret).not.toBe(made.secret);
    expect(rotated.previousSecret).toBe(made.secret);
    expect(Date.parse(rotated.previousSecretUntil ?? "") - nowMs).toBe(24 * 3600 * 1000);
    const before = nowMs;
    nowMs += 24 * 3600 * 1000;
    const later = (await ours.send("GET", `/webhooks/${made.id}`)).read(WebhookEndpoint);
    nowMs = before;
    expect(later.previousSecretUntil).toBeNull();
  });

  it("that was sealed under another installation's secret can be replaced", async () => {
    const made = await add(ours);
    await run(database.db, "update webhook_endpoints set secret_sealed = '\\x00' where id = $1", [made.id]);
    const rotated = (await ours.send("POST", `/webhooks/${made.id}/rotate-secret`)).read(WebhookSecret);
    expect(rotated).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previousSecret: null });
  });
});

describe("an event", () => {
  it("is queued for every subscribed endpoint, in its own account and mode only", async () => {
    const account = await api.addAccount("Fan-out");
    const all = await add(account);
    const some = await add(account, { eventTypes: ["call.failed", "call.completed"] });
    const other = await add(account, { eventTypes: ["call.initiated"] });
    const eventId = await report(account);
    const idsOf = async (id: string) =>
      (await account.send("GET", `/webhooks/${id}/deliveries`)).readPage(Delivery).data.map((each) => each.eventId);
    expect(await idsOf(all.id)).toEqual([eventId]);
    expect(await idsOf(some.id)).toEqual([eventId]);
    expect(await idsOf(other.id)).toEqual([]);
  });

  it("is queued in the transaction that reports it, or not at all", async () => {
    const account = await api.addAccount("Undone");
    const { id } = await add(account);
    await database.db
      .transaction()
      .execute(async (tx) => {
        await run(
          tx,
          "insert into outbox (id, account_id, mode, type, body) values ('evt_undone', $1, 'test', 'call.failed', '{}')",
          [account.accountId],
        );
        throw new Error("undo");
      })
      .catch(() => undefined);
    expect((await account.send("GET", `/webhooks/${id}/deliveries`)).readPage(Delivery).data).toEqual([]);
  });

  it("is held for a disabled endpoint, and sent on request", async () => {
    const account = await api.addAccount("Held");
    const { id } = await add(account, { isEnabled: false });
    await report(account);
    const list = async (query = "") =>
      (await account.send("GET", `/webhooks/${id}/deliveries${query}`)).readPage(Delivery).data;
    const [held] = await list();
    expect(held).toMatchObject({ status: "held", nextAttemptAt: null });
    const replayed = await account.send("POST", `/deliveries/${held?.id}/replay`);
    expect(replayed.read(Delivery)).toMatchObject({ id: held?.id, eventId: held?.eventId, status: "pending" });
    expect(await list("?status=held")).toEqual([]);
    expect(await list("?status=pending")).toHaveLength(1);
  });

  it("waits no longer once the endpoint is switched off or removed", async () => {
    const account = await api.addAccount("Switched off");
    const { id } = await add(account);
    await report(account);
    await account.send("PATCH", `/webhooks/${id}`, { body: { isEnabled: false } });
    const [held] = (await account.send("GET", `/webhooks/${id}/deliveries`)).readPage(Delivery).data;
    expect(held?.status).toBe("held");
    const off = (await account.send("GET", `/webhooks/${id}`)).read(WebhookEndpoint);
    expect(off).toMatchObject({ isEnabled: false, disabledReason: "member" });
    const on = await account.send("PATCH", `/webhooks/${id}`, { body: { isEnabled: true } });
    expect(on.read(WebhookEndpoint)).toMatchObject({ isEnabled: true, disabledReason: null, disabledAt: null });
  });
});

describe("a replay", () => {
  const start = Date.UTC(2026, 0, 1);
  const at = (minute: number) => new Date(start + minute * 60_000);

  it("of everything since a moment includes what the endpoint subscribes to, even from before it existed", async () => {
    const account = await api.addAccount("Since");
    for (const minute of [0, 1, 2]) await report(account, "call.completed", at(minute));
    await report(account, "call.initiated", at(3));
    const { id } = await add(account, { eventTypes: ["call.completed"] });
    const path = `/webhooks/${id}/replay?since=${at(1).toISOString()}`;
    expect((await account.send("POST", path)).read(Replay)).toEqual({ eventCount: 2, nextSince: null });
    const rows = await walkPages(account, `/webhooks/${id}/deliveries`, 1, Delivery);
    expect(rows.map(({ createdAt }) => createdAt)).toEqual([at(2).toISOString(), at(1).toISOString()]);
    // A second request restarts the same deliveries; there are never two of one event.
    expect((await account.send("POST", path)).read(Replay).eventCount).toBe(2);
    expect(await walkPages(account, `/webhooks/${id}/deliveries`, 10, Delivery)).toHaveLength(2);
  });

  it("can leave out what was accepted before", async () => {
    const account = await api.addAccount("Undelivered");
    const { id } = await add(account);
    const [first] = [await report(account, "call.completed", at(0)), await report(account, "call.completed", at(1))];
    await run(
      database.db,
      "update webhook_deliveries set status = 'delivered', next_attempt_at = null, delivered_at = now() where event_id = $1",
      [first],
    );
    const path = `/webhooks/${id}/replay?since=${at(0).toISOString()}`;
    expect((await account.send("POST", `${path}&only=undelivered`)).read(Replay).eventCount).toBe(1);
    expect((await account.send("POST", path)).read(Replay).eventCount).toBe(2);
  });

  it("needs a moment, and takes no other words", async () => {
    const { id } = await add(theirs);
    expect((await theirs.send("POST", `/webhooks/${id}/replay`)).status).toBe(422);
    expect((await theirs.send("POST", `/webhooks/${id}/replay?since=yesterday`)).status).toBe(422);
  });
});

describe("what was sent about a call", () => {
  async function placeCall({ accountId }: TestClient): Promise<string> {
    const [agentId, versionId, callId] = [makeId("agent"), makeId("agentVersion"), makeId("call")];
    await run(
      database.db,
      "insert into agents (id, account_id, name, language, flow) values ($1, $2, 'Agent', 'en-US', '{}')",
      [agentId, accountId],
    );
    await run(
      database.db,
      "insert into agent_versions (id, agent_id, version, language, flow) values ($1, $2, 1, 'en-US', '{}')",
      [versionId, agentId],
    );
    await run(
      database.db,
      `insert into calls (id, account_id, mode, phone_number, agent_id, agent_version, engine, max_duration_seconds,
         ring_timeout_seconds) values ($1, $2, 'test', '+15550100001', $3, 1, 'local', 600, 30)`,
      [callId, accountId, agentId],
    );
    return callId;
  }

  it("is listed over all endpoints, newest first, page by page, and without those that were removed", async () => {
    const account = await api.addAccount("By call");
    const [one, two, removed] = [await add(account), await add(account), await add(account)];
    const [callId, otherId] = [await placeCall(account), await placeCall(account)];
    for (const [index, type] of ["call.initiated", "call.completed"].entries()) {
      await report(account, type, new Date(Date.UTC(2026, 0, 1, index)), callId);
    }
    await report(account, "call.initiated", new Date(), otherId);
    await account.send("DELETE", `/webhooks/${removed.id}`);
    const seen = await walkPages(account, `/calls/${callId}/deliveries`, 3, Delivery);
    expect(seen.map(({ eventType }) => eventType)).toEqual([
      "call.completed",
      "call.completed",
      "call.initiated",
      "call.initiated",
    ]);
    expect(new Set(seen.map(({ webhookId }) => webhookId))).toEqual(new Set([one.id, two.id]));
    expect(seen.every((delivery) => delivery.callId === callId)).toBe(true);
  });

  it("is not found for a call of another account, or of the other mode", async () => {
    const callId = await placeCall(ours);
    const path = `/calls/${callId}/deliveries`;
    const unknown = { status: 404, body: { error: { code: "call_not_found" } } };
    expect(await theirs.send("GET", path)).toMatchObject(unknown);
    expect(await ours.send("GET", path, { mode: "live" })).toMatchObject(unknown);
    expect((await ours.send("GET", path)).readPage(Delivery).data).toEqual([]);
  });
});

describe("a test event", () => {
  it("goes to the one endpoint, whatever it subscribes to, and shows its body", async () => {
    const account = await api.addAccount("Test events");
    const tested = await add(account, { eventTypes: ["call.failed"], isEnabled: false });
    const other = await add(account);
    const sent = (await account.send("POST", `/webhooks/${tested.id}/test`)).read(Delivery);
    expect(sent).toMatchObject({ eventType: "webhook.test", status: "pending", callId: null });
    const details = (await account.send("GET", `/deliveries/${sent.id}`)).read(DeliveryDetails);
    expect(TestWebhookBody.parse(JSON.parse(details.body))).toMatchObject({ data: { webhook: { id: tested.id } } });
    expect((await account.send("GET", `/webhooks/${other.id}/deliveries`)).readPage(Delivery).data).toEqual([]);
    expect((await theirs.send("GET", `/deliveries/${sent.id}`)).status).toBe(404);
    expect((await theirs.send("POST", `/deliveries/${sent.id}/replay`)).status).toBe(404);
  });
});
