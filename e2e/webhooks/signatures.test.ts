import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { claimFirst, createKey } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";

interface Received {
  readonly body: string;
  readonly headers: Record<string, string>;
}

const LIBRARIES = [
  ["standardwebhooks", (secret: string) => new StandardWebhook(secret)],
  ["svix", (secret: string) => new SvixWebhook(secret)],
] as const;
const ANOTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

let world: ApiWorld;
let closeReceiver = async () => undefined as unknown;
let firstSecret: string;
let secondSecret: string;
/** One event from before the secret was rotated, and one from afterwards. */
let before: Received;
let during: Received;

beforeAll(async () => {
  world = await openApiWorld();
  const service = await world.start({ PARLEY_OUTBOUND_ALLOW: "loopback", PARLEY_ROLES: "api,jobs" });
  const { key } = await createKey(service.url, (await claimFirst(service)).cookie);
  const receiver = await openReceiver();
  closeReceiver = receiver.close;
  const made = await ask(service.url, "/api/v1/webhooks", { key, body: { url: receiver.url } });
  const { id, secret } = made.body.data as { id: string; secret: string };
  firstSecret = secret;
  const post = (path: string) => ask(service.url, `/api/v1/webhooks/${id}/${path}`, { key, body: {} });
  await post("test");
  before = await receiver.nth(0);
  secondSecret = (await post("rotate-secret")).body.data.secret;
  await post("test");
  during = await receiver.nth(1);
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await closeReceiver();
  await world?.close();
});

async function openReceiver() {
  const received: Received[] = [];
  const server = createServer(async (request, reply) => {
    received.push({ body: await text(request), headers: request.headers as Record<string, string> });
    reply.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async nth(index: number): Promise<Received> {
      const all = await until(
        async () => received,
        ({ length }) => length > index,
        30_000,
      );
      return all[index] as Received;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

describe.each(LIBRARIES)("a receiver that checks with %s", (_name, open) => {
  const isAccepted = (secret: string, { body, headers }: Received) => {
    try {
      open(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  };

  test("accepts an event with the endpoint's secret, and with no other", () => {
    expect(isAccepted(firstSecret, before)).toBe(true);
    expect(isAccepted(ANOTHER_SECRET, before)).toBe(false);
  });

  test("accepts it during a rotation with the old secret and with the new one, and with no other", () => {
    expect(secondSecret).not.toBe(firstSecret);
    expect([firstSecret, secondSecret, ANOTHER_SECRET].map((secret) => isAccepted(secret, during))).toEqual([
      true,
      true,
      false,
    ]);
    expect(isAccepted(secondSecret, before)).toBe(false);
  });

  test("refuses it when a byte of the body, its id, its time or its signature was changed", () => {
    const { body, headers } = during;
    const withHeader = (name: string, value: string) => ({ body, headers: { ...headers, [name]: value } });
    const tampered = [
      { body: `${body} `, headers },
      { body: body.replace("webhook.test", "webhook.tess"), headers },
      withHeader("webhook-id", "evt_1"),
      withHeader("webhook-timestamp", String(Number(headers["webhook-timestamp"]) + 1)),
      withHeader("webhook-signature", ""),
      withHeader("webhook-signature", before.headers["webhook-signature"] ?? ""),
    ];
    for (const secret of [firstSecret, secondSecret]) {
      expect(tampered.map((each) => isAccepted(secret, each))).toEqual(tampered.map(() => false));
    }
  });

  test.each([
    ["arrives within five minutes of its time", 290, true],
    ["comes more than five minutes late", 310, false],
    ["comes from a clock that is within five minutes ahead", -290, true],
    ["comes from a clock that is more than five minutes ahead", -310, false],
  ])("one that %s (%i s) is accepted: %s", (_when, laterSeconds, accepted) => {
    const sentAtMs = Number(before.headers["webhook-timestamp"]) * 1000;
    vi.useFakeTimers({ toFake: ["Date"], now: sentAtMs + laterSeconds * 1000 });
    expect(isAccepted(firstSecret, before)).toBe(accepted);
  });
});
