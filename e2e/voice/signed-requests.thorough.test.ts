import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimFirst } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { getCall, placeCall } from "../harness/calls.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { readFirstRun, type ServiceProcess, startService } from "../harness/service-process.ts";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The customer's program that the agent asks during the call. */
const received: Received[] = [];
const shop = createServer((request, reply) => {
  text(request).then((body) => {
    received.push({ headers: request.headers, body });
    reply.setHeader("content-type", "application/json").end('{"seat":"twelve"}');
  }, reply.destroy.bind(reply));
});

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: ServiceProcess;
let caller: { readonly url: string; readonly key: string };

beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  folder = await makeDataFolder();
  service = await startService({
    dataDir: folder.path,
    env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_OUTBOUND_ALLOW: "loopback" },
  });
  caller = { url: service.url, key: (await readFirstRun(service)).key };
}, 240_000);
afterAll(async () => {
  await service?.end("SIGINT");
  await folder?.remove();
  shop.close();
});

function flowFor(port: number) {
  return {
    schemaVersion: 1,
    settings: { retries: { max: 3 }, callback: { offer: false } },
    nodes: [
      { id: "start", type: "start", next: "visit" },
      {
        id: "visit",
        type: "ask",
        text: "Hello. Will you come on Monday, or do you want to cancel?",
        answer: "choice",
        saveAs: "visit",
        exits: [
          { when: "I will come", next: "seat", phrases: ["I'll be there", "I am coming"] },
          { when: "cancel", next: "bye", phrases: ["I can't come", "call it off"] },
        ],
        otherwise: "bye",
      },
      {
        id: "seat",
        type: "tool",
        request: {
          method: "POST",
          url: `http://127.0.0.1:${port}/seats`,
          body: { visit: "{{visit}}" },
          timeoutMs: 10_000,
        },
        saves: [{ path: "seat", saveAs: "seat" }],
        next: "done",
        failed: "bye",
      },
      { id: "done", type: "end", text: "Your seat is {{seat}}. Goodbye." },
      { id: "bye", type: "end", text: "Goodbye." },
    ],
  };
}

/** As Standard Webhooks says: the id, the moment and the body, under the bytes of the secret. */
function signatureOf({ headers, body }: Received, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

test("a request that an agent sends in a call is signed with the secret of the account, and its reply is spoken", async () => {
  const { port } = shop.address() as AddressInfo;
  const { url, key } = caller;
  const { cookie } = await claimFirst(service);
  const body = { disclosure: "This is an automated call." };
  expect((await ask(url, "/api/v1/settings", { method: "PATCH", headers: cookie, body })).status).toBe(200);
  const { secret } = (await ask(url, "/api/v1/tools/rotate-secret", { key, body: {} })).body.data;
  const agentId = (await ask(url, "/api/v1/agents", { key, body: { name: "Seats", flow: flowFor(port) } })).body.data
    .id;
  const published = await ask(url, `/api/v1/agents/${agentId}/publish`, { key, body: {} });
  expect(published.body.data).toMatchObject({ version: 1, warnings: [] });
  // Keys are recognized on the busiest machine; the second press is for one that speaks late.
  const presses = [{ waitMs: 8_000 }, { press: "1" }, { waitMs: 12_000 }, { press: "1" }];
  const script = [{ say: "Hello?" }, ...presses];
  const id = await placeCall({ ...caller, agentId }, "+15550100001", { simulation: { answerAfterMs: 0, script } });
  const call = await until(
    () => getCall({ ...caller, agentId }, id),
    (seen) => seen?.phase === "ended",
    180_000,
  );
  const transcript = (await ask(url, `/api/v1/calls/${id}/transcript`, { key })).body.data;
  expect(call.collected, JSON.stringify(transcript)).toEqual({ visit: "I will come", seat: "twelve" });
  expect(call).toMatchObject({ status: "completed", endReason: "agent_hangup" });
  // The agent has no disclosure of its own, and says the account's.
  expect(transcript.items.map(({ text: words }: { text?: string }) => words ?? "").join(" ")).toContain(
    body.disclosure,
  );
  expect(received).toHaveLength(1);
  const [request] = received;
  expect(JSON.parse(request?.body ?? "")).toEqual({ visit: "I will come" });
  expect(request?.headers["webhook-id"]).toBe(request?.headers["idempotency-key"]);
  expect(request?.headers["webhook-signature"]?.toString().split(" ")).toContain(
    request && signatureOf(request, secret),
  );
}, 240_000);
