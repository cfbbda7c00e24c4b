import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent } from "@parley/contract/agents";
import type { FlowNode } from "@parley/contract/flow";
import { ToolTrialResult, TryReply } from "@parley/contract/try";
import { createFakeLanguageModel } from "@parley/voice/fakes/fake-language-model";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { deriveSecrets } from "../../../platform/config/secret.ts";
import { createTestDatabase, type TestDatabase } from "../../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient } from "../../../platform/http/testing/open-test-api.ts";
import { createOutboundHttp, type OutboundHttp } from "../../../platform/outbound-http/outbound-http.ts";
import { makePolicy } from "../../../platform/outbound-http/outbound-policy.ts";
import { createMcpCaller } from "../../../speech/conversations/call-mcp-tool.ts";
import { createToolCaller } from "../../../speech/conversations/call-tool.ts";
import { createEngineRegistry } from "../../../speech/models/engine-registry.ts";
import { NO_MCP } from "../../mcp/functions-for-flow.ts";
import { agentRoutes } from "../../routes.ts";
import { addScenarios } from "../../scenarios/scenario-store.ts";
import { tryRoutes } from "./routes.ts";
import { createTryStates } from "./try-state.ts";

const { sign } = deriveSecrets("a secret that is only used in tests");
const model = createFakeLanguageModel();
let t: TestDatabase;
let api: TestApi;
let ada: TestClient;
let bob: TestClient;
let outbound: OutboundHttp;
let far: Server;
let farUrl: string;
const farSaw: string[] = [];

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  far = createServer((request, reply) => {
    farSaw.push(
      `${request.method} ${request.url} ${request.headers["webhook-signature"] === undefined ? "" : "signed"}`,
    );
    reply.writeHead(request.url === "/no" ? 500 : 200, { "content-type": "application/json" });
    reply.end(JSON.stringify({ closes: "six", many: "x".repeat(5000) }));
  });
  far.listen(0, "127.0.0.1");
  await once(far, "listening");
  farUrl = `http://127.0.0.1:${(far.address() as AddressInfo).port}`;
  outbound = createOutboundHttp({ policy: makePolicy({ allow: ["loopback"], deny: [], ports: [443] }) });
  api = openTestApi(t.db, (cursors) => [
    ...agentRoutes({ db: t.db, cursors, engines: createEngineRegistry(), addScenarios }),
    ...tryRoutes({
      db: t.db,
      states: createTryStates(sign),
      nowMs: () => Date.UTC(2026, 2, 2, 12),
      brains: { modelNames: [model.name], models: async () => [model], ranker: () => null },
      toolCallerFor: (_accountId, callId) =>
        createToolCaller({
          outbound,
          callId,
          secrets: ["whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"],
          nowMs: Date.now,
        }),
      mcpPlanFor: async () => NO_MCP,
      mcpCallerFor: (plan) => createMcpCaller({ outbound, plan }),
    }),
  ]);
  ada = await api.addAccount("Ada");
  bob = await api.addAccount("Bob");
});
afterAll(async () => {
  await api.close();
  outbound.close();
  far.close();
  await t.close();
});

const NODES: FlowNode[] = [
  { id: "start", type: "start", next: "hello" },
  { id: "hello", type: "say", text: "Hello {{name}}.", next: "comes" },
  {
    id: "comes",
    type: "ask",
    text: "Can you come tomorrow?",
    answer: "yes_no",
    saveAs: "comes",
    exits: [
      { when: "yes", next: "hours" },
      { when: "no", next: "bye" },
    ],
    otherwise: "bye",
  },
  {
    id: "hours",
    type: "tool",
    request: { method: "GET", url: "" },
    saves: [{ path: "closes", saveAs: "closes" }],
    next: "bye",
    failed: "sorry",
  },
  { id: "sorry", type: "end", text: "Something went wrong." },
  { id: "bye", type: "end", text: "Goodbye." },
];

const flowWith = (url: string, change: (node: FlowNode) => FlowNode = (node) => node) => ({
  schemaVersion: 1,
  variables: ["name"],
  settings: { disclosure: null, retries: { max: 1 }, callback: { offer: false } },
  nodes: NODES.map((node) => change(node.type === "tool" ? { ...node, request: { method: "GET", url } } : node)),
});

async function agentOf(client: TestClient, flow: unknown = flowWith(`${farUrl}/hours`)): Promise<string> {
  return (await client.send("POST", "/agents", { body: { name: "Tried", flow } })).read(Agent).id;
}

const turn = async (id: string, body: object = {}, client = ada) => client.send("POST", `/agents/${id}/try`, { body });

describe("trying an agent by text", () => {
  test("opens the draft and continues from the state of the previous turn, with real tool requests", async () => {
    const id = await agentOf(ada);
    const opening = (await turn(id, { variables: { name: "Ada" } })).read(TryReply);
    expect(opening).toMatchObject({
      said: "Hello Ada. Can you come tomorrow?",
      nodeId: "comes",
      path: ["start", "hello", "comes"],
      ended: null,
      expects: { kind: "yes_no", takesKeys: true },
      variables: { name: "Ada" },
      warnings: [],
    });
    const over = (await turn(id, { state: opening.state, callee: { say: "Yes, I can." } })).read(TryReply);
    expect(over).toMatchObject({
      said: "Goodbye.",
      path: ["hours", "bye"],
      collected: { comes: true, closes: "six" },
      expects: null,
      ended: { reason: "agent_hangup", by: "agent" },
    });
    expect(over.events.map(({ type }) => type)).toEqual([
      ...["decision", "collected", "node", "tool_call", "tool_result", "collected", "node", "said"],
    ]);
    expect(farSaw).toContain("GET /hours signed");
    const again = (await turn(id, { state: over.state, callee: { say: "Hello?" } })).read(TryReply);
    expect(again).toMatchObject({ events: [], ended: { reason: "agent_hangup" } });
  });

  test("says the account's words where the agent has none, as a call does", async () => {
    const { settings: _settings, ...flow } = flowWith(`${farUrl}/hours`);
    const id = await agentOf(ada, flow);
    const opening = async () => (await turn(id, { variables: { name: "Ada" } })).read(TryReply).said;
    expect(await opening()).toContain("I am an automated assistant");
    await t.db
      .updateTable("accounts")
      .set({ disclosure: "A machine is calling." })
      .where("id", "=", ada.accountId)
      .execute();
    expect(await opening()).toBe("Hello Ada. A machine is calling. Can you come tomorrow?");
    await t.db.updateTable("accounts").set({ disclosure: null }).where("id", "=", ada.accountId).execute();
  });

  test("asks no tool that the client answers for", async () => {
    const id = await agentOf(ada);
    const before = farSaw.length;
    const { state } = (await turn(id)).read(TryReply);
    const toolReplies = { hours: { status: 200, body: { closes: "nine" } } };
    const given = (await turn(id, { state, callee: { say: "Yes." }, toolReplies })).read(TryReply);
    expect(given.collected).toMatchObject({ closes: "nine" });
    expect(given.events).toContainEqual(expect.objectContaining({ type: "tool_result", isGiven: true, ok: true }));
    const failing = { hours: { status: 503 } };
    expect((await turn(id, { state, callee: { say: "Yes." }, toolReplies: failing })).read(TryReply).said).toBe(
      "Something went wrong.",
    );
    expect(farSaw).toHaveLength(before);
  });

  test("takes silence, keys, interruptions, hanging up and machines", async () => {
    const id = await agentOf(ada);
    const { state } = (await turn(id)).read(TryReply);
    const after = async (callee: object) => (await turn(id, { state, callee })).read(TryReply);
    expect((await after({ silent: true })).said).toContain("Are you still there?");
    expect((await after({ press: "2" })).collected).toEqual({ comes: false });
    expect((await after({ interruptAfterMs: 300, say: "Yes?" })).events[0]).toMatchObject({ type: "cut_off" });
    expect((await after({ hangUp: true })).ended).toEqual({ reason: "callee_hangup", by: "callee" });
    expect((await after({ say: "Never call me again." })).events).toContainEqual({ type: "suppressed" });
    expect((await turn(id, { callee: { machine: "voicemail" } })).read(TryReply).ended).toEqual({
      reason: "voicemail_hangup",
      by: "agent",
    });
  });

  test("tries an unsaved document or a version, and continues in a flow that was changed meanwhile", async () => {
    const id = await agentOf(ada);
    await ada.send("POST", `/agents/${id}/publish`, { body: {} });
    expect((await turn(id, { version: 1 })).read(TryReply).said).toContain("Can you come tomorrow?");
    const flow = flowWith(`${farUrl}/hours`, (node) =>
      node.id === "bye" ? ({ ...node, text: "See you." } as FlowNode) : node,
    );
    const { state } = (await turn(id)).read(TryReply);
    expect((await turn(id, { flow, state, callee: { say: "No." } })).read(TryReply).said).toBe("See you.");
    const gone = flowWith(`${farUrl}/hours`, (node) =>
      node.id === "comes"
        ? { ...node, id: "other" }
        : node.id === "hello"
          ? ({ ...node, next: "other" } as FlowNode)
          : node,
    );
    const refused = await turn(id, { flow: gone, state, callee: { say: "No." } });
    expect([refused.status, refused.body.error?.code]).toEqual([409, "invalid_state"]);
  });

  test("lets a model speak, turn by turn", async () => {
    const id = await agentOf(ada, {
      schemaVersion: 1,
      settings: { disclosure: null },
      nodes: [
        { id: "start", type: "start", next: "chat" },
        {
          id: "chat",
          type: "conversation",
          text: "How can I help?",
          prompt: "Help.",
          exits: [{ when: "done", next: "bye" }],
          otherwise: "bye",
        },
        { id: "bye", type: "end", text: "Goodbye." },
      ],
    });
    model.plan(
      { type: "reply", texts: ["From seven to ten."] },
      { type: "reply", texts: [], calls: [{ id: "e1", tool: "EXIT_1", input: {} }] },
    );
    const opening = (await turn(id)).read(TryReply);
    const answer = (await turn(id, { state: opening.state, callee: { say: "When is breakfast?" } })).read(TryReply);
    expect(answer).toMatchObject({ said: "From seven to ten.", nodeId: "chat" });
    const over = (await turn(id, { state: answer.state, callee: { say: "Thanks" } })).read(TryReply);
    expect(over.said).toBe("Goodbye.");
    const said = model.requests.at(-1)?.messages.map((message) => ("text" in message ? message.text : ""));
    expect(said).toEqual(["How can I help?", "When is breakfast?", "From seven to ten.", "Thanks"]);
  });

  test("warns of a model that is not configured and uses another one", async () => {
    const chat = { id: "chat", type: "conversation", text: "Yes?", prompt: "Help.", model: "openai/gone" };
    const start = { id: "start", type: "start", next: "chat" };
    const nodes = [start, { ...chat, otherwise: "bye" }, { id: "bye", type: "end", text: "Goodbye." }];
    const id = await agentOf(ada, { schemaVersion: 1, settings: { disclosure: null }, nodes });
    model.plan({ type: "reply", texts: ["I am here instead."] });
    const opening = (await turn(id)).read(TryReply);
    expect(opening.warnings).toMatchObject([{ code: "unknown_model", param: "flow.nodes[1].model" }]);
    const answer = (await turn(id, { state: opening.state, callee: { say: "Hi." } })).read(TryReply);
    expect([answer.said, model.requests.at(-1)?.model]).toEqual(["I am here instead.", "openai/gone"]);
  });

  test("is refused with the node where the flow cannot be held", async () => {
    const id = await agentOf(ada, { schemaVersion: 1, nodes: [{ id: "start", type: "start", next: "nowhere" }] });
    const refused = await turn(id);
    expect([refused.status, refused.body.error?.code]).toEqual([422, "validation_failed"]);
    expect(refused.body.error?.details?.[0]).toMatchObject({ param: "flow.nodes[0].next", code: "unknown_node" });
  });

  test("takes no state but its own, and no turn that cannot be", async () => {
    const id = await agentOf(ada);
    const { state } = (await turn(id)).read(TryReply);
    const other = await agentOf(ada);
    const bad: [object, string][] = [
      [{ state: `${state.slice(0, -4)}AAAA`, callee: { say: "x" } }, "state"],
      [{ state: "x", callee: { say: "x" } }, "state"],
      [{ state }, "callee"],
      [{ callee: { say: "Hello?" } }, "callee"],
      [{ state, callee: { machine: "fax" } }, "callee.machine"],
      [{ state, callee: { say: "x" }, variables: {} }, "variables"],
      [{ flow: flowWith(farUrl), version: 1 }, "version"],
    ];
    for (const [body, param] of bad) {
      const { status, body: reply } = await turn(id, body);
      expect([status, reply.error?.param], JSON.stringify(body).slice(0, 80)).toEqual([422, param]);
    }
    expect((await turn(other, { state, callee: { say: "Yes." } })).status).toBe(422);
  });

  test("does not know the agents of others, nor versions that were never published", async () => {
    const id = await agentOf(ada);
    expect((await turn(id, {}, bob)).body.error?.code).toBe("agent_not_found");
    expect((await turn(id, { version: 7 })).body.error?.code).toBe("not_found");
  });
});

describe("trying a tool", () => {
  const trial = (id: string, body: object, client = ada) => client.send("POST", `/agents/${id}/try-tool`, { body });

  test("shows the request, the reply and what would be stored", async () => {
    const id = await agentOf(ada);
    const body = {
      request: { method: "GET", url: `${farUrl}/slots?day={{day}}`, headers: { "x-day": "{{day}}" } },
      saves: [
        { path: "closes", saveAs: "closes" },
        { path: "opens", saveAs: "opens" },
      ],
      values: { day: "next Monday" },
    };
    const result = (await trial(id, body)).read(ToolTrialResult);
    expect(result).toMatchObject({
      ok: true,
      status: 200,
      isCut: true,
      failure: null,
      saved: { closes: "six", opens: null },
      sent: {
        method: "GET",
        url: `${farUrl}/slots?day=next%20Monday`,
        headers: { "x-day": "next Monday" },
        body: null,
      },
    });
    expect(result.excerpt).toHaveLength(4000);
    expect(farSaw).toContain("GET /slots?day=next%20Monday signed");
  });

  test("reports a failure in words and stores nothing of it", async () => {
    const id = await agentOf(ada);
    const failed = (
      await trial(id, {
        request: { method: "GET", url: `${farUrl}/no` },
        saves: [{ path: "closes", saveAs: "closes" }],
      })
    ).read(ToolTrialResult);
    expect(failed).toMatchObject({ ok: false, status: 500, saved: {}, failure: null });
    const forbidden = (await trial(id, { request: { method: "GET", url: "http://10.0.0.1/" } })).read(ToolTrialResult);
    expect(forbidden).toMatchObject({ ok: false, status: null, excerpt: "" });
    expect(forbidden.failure).toMatch(/\w+/);
  });

  test("does not know the agents of others", async () => {
    const reply = await trial(await agentOf(ada), { request: { method: "GET", url: farUrl } }, bob);
    expect(reply.body.error?.code).toBe("agent_not_found");
  });
});
