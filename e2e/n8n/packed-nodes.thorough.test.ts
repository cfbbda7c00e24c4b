import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { packNodes } from "@parley/tools/pack/pack-nodes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey, dataOf } from "../harness/accounts.ts";
import { send } from "../harness/http-client.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun } from "../harness/service-process.ts";

/** Stands for n8n's, which the long test has. */
const N8N_WORKFLOW = `
exports.NodeConnectionTypes = { Main: "main" };
exports.NodeApiError = class extends Error {
  constructor(_node, reply, options) {
    if (reply instanceof exports.NodeApiError) return reply;
    super(reply.message);
    Object.assign(this, { httpCode: null }, options);
  }
};
exports.NodeOperationError = class extends Error {
  constructor(_node, error) { super(typeof error === "string" ? error : error.message); }
};
exports.sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));`;

interface NodeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly qs?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
}

let scene: Scene;
let folder: string;
let server: Server;
let url: string;
let apiKey: string;
let agentId: string;
// biome-ignore lint/suspicious/noExplicitAny: classes of the package.
let nodes: { readonly call: any; readonly trigger: any };
const received: Received[] = [];
/** How many replies are lost on the way back, by method. */
const lost: Record<string, number> = {};
const kept = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-nodes-"));
  execFileSync("tar", ["-xzf", await packNodes("sdk/n8n", folder), "-C", folder, "--strip-components=1"]);
  mkdirSync(join(folder, "node_modules/n8n-workflow"), { recursive: true });
  writeFileSync(join(folder, "node_modules/n8n-workflow/index.js"), N8N_WORKFLOW);
  const require = createRequire(join(folder, "package.json"));
  const { Parley } = require("./dist/nodes/Parley/Parley.node.js");
  const { ParleyTrigger } = require("./dist/nodes/ParleyTrigger/ParleyTrigger.node.js");
  nodes = { call: new Parley(), trigger: new ParleyTrigger() };
  server = createServer(async (request, response) => {
    received.push({ headers: request.headers, rawBody: await buffer(request) });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  scene = await Scene.open();
  const service = await scene.start();
  url = service.url;
  ({ key: apiKey, agentId } = await readFirstRun(service));
});
afterAll(async () => {
  await scene?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends a request as n8n does. */
async function sendAsN8n(request: NodeRequest): Promise<{ statusCode: number; body: unknown }> {
  const response = await fetch(`${request.url}?${new URLSearchParams(request.qs)}`, {
    method: request.method,
    headers: { ...request.headers, "content-type": "application/json", authorization: `Bearer ${apiKey}` },
    ...(request.method === "POST" ? { body: JSON.stringify(request.body ?? {}) } : {}),
  });
  const body = await response.json();
  const left = lost[request.method] ?? 0;
  lost[request.method] = Math.max(0, left - 1);
  if (left > 0) throw new Error("socket hang up");
  return { statusCode: response.status, body };
}

function contextOf(parameters: Readonly<Record<string, unknown>>) {
  return {
    getInputData: () => [{ json: {} }],
    // The index of the item, where there is one, comes before the fallback.
    getNodeParameter: (name: string, ...others: unknown[]) => parameters[name] ?? others.at(-1),
    getNode: () => ({ id: "node", name: "Parley" }),
    getWorkflow: () => ({ id: "1", name: "Made by a test" }),
    getWorkflowStaticData: () => kept,
    getNodeWebhookUrl: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook/1`,
    getCredentials: async () => ({ baseUrl: `${url}/`, apiKey }),
    getExecutionId: () => "1",
    evaluateExpression: () => 0,
    getExecutionCancelSignal: () => undefined,
    continueOnFail: () => false,
    helpers: {
      httpRequestWithAuthentication: (_: string, request: NodeRequest) => sendAsN8n(request),
      returnJsonArray: (json: object | object[]) => [json].flat().map((each) => ({ json: each })),
    },
  };
}

async function run(parameters: Readonly<Record<string, unknown>>) {
  const [items] = await nodes.call.execute.call(contextOf({ resource: "call", ...parameters }));
  return items[0].json;
}

function receive({ headers, rawBody }: Received) {
  const answer = { code: 200 };
  const context = {
    ...contextOf({ events: ["call.completed"] }),
    getHeaderData: () => headers,
    getRequestObject: () => ({ rawBody }),
    getResponseObject: () => ({ status: (code: number) => ({ json: () => Object.assign(answer, { code }) }) }),
  };
  return { answer, result: nodes.trigger.webhook.call(context) };
}

const listEndpoints = async () => dataOf(await send(url, { path: "/api/v1/webhooks", headers: byKey(apiKey) }));

const create = {
  operation: "create",
  phoneNumber: "+15550100001",
  waitFor: "outcome",
  waitMinutes: 2,
  variables: {},
};

test("the packed nodes place a call once, wait for its outcome and receive its signed event", async () => {
  const hooks = nodes.trigger.webhookMethods.default;
  const context = contextOf({ events: ["call.completed"] });
  expect(await hooks.checkExists.call(context)).toBe(false);
  await hooks.create.call(context);
  expect(await hooks.checkExists.call(context)).toBe(true);
  // Activated again with other events, it replaces its endpoint.
  expect(await hooks.checkExists.call(contextOf({ events: ["call.failed"] }))).toBe(false);
  await hooks.create.call(context);
  expect(await listEndpoints()).toMatchObject([{ eventTypes: ["call.completed"], description: "n8n: Made by a test" }]);

  const simulation = JSON.stringify({ answerAfterMs: 0, script: [{ waitMs: 200 }, { hangUp: true }] });
  const fields = { ...create, agentId, additionalFields: { simulation } };
  const call = await run(fields);
  expect(call).toMatchObject({ phase: "ended", status: "completed", endReason: "callee_hangup" });
  expect((await run(fields)).id).toBe(call.id);

  await expect.poll(() => received.length).toBeGreaterThan(0);
  const [event] = received;
  if (!event) throw new Error("nothing was received");
  const { workflowData } = await receive(event).result;
  expect(workflowData).toMatchObject([[{ json: { type: "call.completed", data: { call: { id: call.id } } } }]]);
  const forged = receive({ ...event, rawBody: Buffer.concat([event.rawBody, Buffer.from(" ")]) });
  expect(await forged.result).toEqual({ noWebhookResponse: true });
  expect(forged.answer.code).toBe(401);

  await hooks.delete.call(context);
  expect(await listEndpoints()).toEqual([]);
  expect(kept).toEqual({});
  // Someone may have removed it before.
  await hooks.delete.call(context);
});

test("a call is placed once although replies are lost, and waited for although the service is away for a while", async () => {
  const simulation = JSON.stringify({ answerAfterMs: 0, script: [{ waitMs: 100 }, { hangUp: true }] });
  const metadata = JSON.stringify({ order: "lost-replies" });
  Object.assign(lost, { POST: 2, GET: 5 });
  const call = await run({ ...create, agentId, additionalFields: { simulation, metadata } });
  expect(call).toMatchObject({ phase: "ended", status: "completed" });
  expect(lost).toMatchObject({ POST: 0, GET: 0 });
  const calls = dataOf(await send(url, { path: "/api/v1/calls", headers: byKey(apiKey) })) as {
    metadata: { order?: string };
  }[];
  expect(calls.filter(({ metadata }) => metadata.order === "lost-replies")).toHaveLength(1);
});

test("a refused call says what to correct, field by field", async () => {
  const refused = run({ ...create, phoneNumber: "12", agentId, additionalFields: {} });
  await expect(refused).rejects.toMatchObject({
    httpCode: "422",
    description: expect.stringMatching(/^phoneNumber: .+\nvalidation_failed, request req_/),
  });
});
