import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../harness/api-client.ts";
import { type Caller, placeCall, untilPhase } from "../harness/calls.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { readFirstRun, type ServiceProcess, startService } from "../harness/service-process.ts";

/** The customer's program. It must only be notified about people who were reached. */
const received: string[] = [];
const shop = createServer((request, reply) => {
  received.push(request.url ?? "");
  reply.setHeader("content-type", "application/json").end("{}");
});

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: ServiceProcess;
let caller: Omit<Caller, "agentId">;

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

/** Publishes an agent whose flow begins with these nodes, and ends after them. */
async function publish(name: string, nodes: readonly object[]): Promise<Caller> {
  const flow = {
    schemaVersion: 1,
    settings: { retries: { max: 2 } },
    nodes: [{ id: "start", type: "start", next: "first" }, ...nodes, { id: "bye", type: "end", text: "Goodbye." }],
  };
  const { id: agentId } = (await ask(caller.url, "/api/v1/agents", { key: caller.key, body: { name, flow } })).body
    .data;
  const published = await ask(caller.url, `/api/v1/agents/${agentId}/publish`, { key: caller.key, body: {} });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  return { ...caller, agentId };
}

function requestTo(path: string) {
  return { method: "POST", url: `http://127.0.0.1:${(shop.address() as AddressInfo).port}${path}` };
}

async function itemsOf(id: string): Promise<readonly { type: string }[]> {
  return (await ask(caller.url, `/api/v1/calls/${id}/transcript`, { key: caller.key })).body.data?.items ?? [];
}

const UNANSWERED = {
  busy: "+15550100002",
  no_answer: "+15550100003",
  declined: "+15550100004",
  invalid_number: "+15550100005",
  carrier_unavailable: "+15550100006",
};

test("no request is sent for a call that no one answers, and it has no transcript", async () => {
  const tool = { id: "first", type: "tool", request: requestTo("/unanswered"), next: "bye", failed: "bye" };
  const say = { id: "first", type: "say", text: "Good day.", next: "then" };
  const agents = [await publish("Tool", [tool]), await publish("Say, tool", [say, { ...tool, id: "then" }])];
  const placed = await Promise.all(
    agents.flatMap((agent) =>
      Object.entries(UNANSWERED).map(async ([endReason, number]) => ({
        ...{ agent, endReason, id: await placeCall(agent, number, { ringTimeoutSeconds: 5 }) },
      })),
    ),
  );
  for (const { agent, id, endReason } of placed) {
    const call = await untilPhase(agent, id, "ended", 120_000);
    expect(call).toMatchObject({ status: "failed", endReason, answeredAt: null, collected: null, answeredBy: null });
    expect(await itemsOf(id)).toEqual([]);
  }
  expect(received).toEqual([]);
}, 240_000);

test("what a voicemail says is not an answer, and causes no request", async () => {
  const cancel = { id: "cancel", type: "tool", request: requestTo("/voicemail"), next: "bye", failed: "bye" };
  const exits = [
    { when: "I will come", next: "bye", phrases: ["I'll be there"] },
    { when: "cancel", next: "cancel", phrases: ["I can't come", "can't come to the phone"] },
  ];
  const question = {
    text: "Will you come on Monday?",
    answer: "choice",
    saveAs: "decision",
    exits,
    otherwise: "cancel",
  };
  const agent = await publish("Ask", [{ id: "first", type: "ask", ...question }, cancel]);
  const id = await placeCall(agent, "+15550100007");
  const call = await untilPhase(agent, id, "ended", 180_000);
  expect(call, JSON.stringify(await itemsOf(id))).toMatchObject({
    endReason: "voicemail_hangup",
    answeredBy: "voicemail",
  });
  expect(call.collected ?? {}).toEqual({});
  expect((await itemsOf(id)).filter(({ type }) => type === "tool_call")).toEqual([]);
  expect(received).toEqual([]);
}, 240_000);

test("a request is sent once for a person who answers", async () => {
  const tool = { id: "first", type: "tool", request: requestTo("/answered"), next: "bye", failed: "bye" };
  const agent = await publish("Tool for a person", [tool]);
  const script = [{ say: "Hello?" }, { waitMs: 60_000 }];
  const id = await placeCall(agent, "+15550100001", { simulation: { answerAfterMs: 2_000, script } });
  const call = await untilPhase(agent, id, "ended", 180_000);
  expect(call, JSON.stringify(await itemsOf(id))).toMatchObject({ status: "completed", endReason: "agent_hangup" });
  expect(received).toEqual(["/answered"]);
}, 240_000);
