import { Agent } from "@parley/contract/agents";
import { Flow, type FlowNode } from "@parley/contract/flow";
import { needsModel } from "@parley/flow/warnings";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { createCursors } from "../platform/http/cursor.ts";
import { openTestApi, type TestApi } from "../platform/http/testing/open-test-api.ts";
import { createEngineRegistry } from "../speech/models/engine-registry.ts";
import { findPublishedAgent } from "./find-published-agent.ts";
import { agentRoutes } from "./routes.ts";
import { addScenarios } from "./scenarios/scenario-store.ts";

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  const deps = { db: database.db, cursors: createCursors(() => Buffer.alloc(8)), engines: createEngineRegistry() };
  api = openTestApi(database.db, () => agentRoutes({ ...deps, addScenarios }));
});
afterAll(async () => {
  await api.close();
  await database.close();
});

const talk: FlowNode = { id: "talk", type: "conversation", prompt: "Be kind.", exits: [], otherwise: "bye" };
const NODES: FlowNode[] = [
  { id: "begin", type: "start", next: "bye" },
  { id: "bye", type: "end", text: "Auf Wiederhören." },
];
const exits = [{ when: "1 < 2", next: "bye" }];
const branch: FlowNode = { id: "fork", type: "branch", exits, otherwise: "bye" };

it("an agent in a language that its engine does not speak is published with a warning", async () => {
  const client = await api.addAccount("Ours");
  const body = { name: "Agent", language: "de-DE", flow: { schemaVersion: 1, nodes: NODES } };
  const { id } = (await client.send("POST", "/agents", { body })).read(Agent);
  const published = await client.send("POST", `/agents/${id}/publish`);
  const warnings = [
    {
      param: "language",
      code: "unspoken_language",
      message: expect.stringMatching(/^The engine "local" does not speak German/),
    },
  ];
  expect(published.body.data).toMatchObject({ warnings });
  const checked = await client.send("POST", `/agents/${id}/check`, { body: {} });
  expect(checked.body.data).toMatchObject({ warnings });
});

it.each<[string, readonly FlowNode[], boolean]>([
  ["only speaks", [], false],
  ["talks freely", [talk], true],
  ["talks freely where a model is configured, and does without one", [{ ...talk, optional: true } as FlowNode], false],
  ["judges by expressions", [branch], false],
  ["has an empty list of judgements", [{ ...branch, prompts: [] }], false],
  ["judges what was said", [{ ...branch, prompts: [{ when: "the caller is angry", next: "bye" }] }], true],
])("a call to an agent that %s finds out whether it needs a language model", async (_what, nodes, expected) => {
  const flow = Flow.parse({
    schemaVersion: 1,
    nodes: [
      { id: "begin", type: "start", next: nodes[0]?.id ?? "bye" },
      ...nodes,
      { id: "bye", type: "end", text: "Bye." },
    ],
  });
  const client = await api.addAccount("Ours");
  const made = await client.send("POST", "/agents", { body: { name: "Agent", flow } });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const agent = made.read(Agent);
  expect((await client.send("POST", `/agents/${agent.id}/publish`)).status).toBe(200);
  const found = await findPublishedAgent(database.db, client.accountId, agent.id);
  expect(found).toMatchObject({ chosen: { needsModel: expected } });
  expect(flow.nodes.some(needsModel)).toBe(expected);
});
