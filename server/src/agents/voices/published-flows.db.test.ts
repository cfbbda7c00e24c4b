import { Agent } from "@parley/contract/agents";
import { Flow } from "@parley/contract/flow";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { createCursors } from "../../platform/http/cursor.ts";
import { openTestApi, type TestApi } from "../../platform/http/testing/open-test-api.ts";
import { createEngineRegistry } from "../../speech/models/engine-registry.ts";
import { agentRoutes } from "../routes.ts";
import { addScenarios } from "../scenarios/scenario-store.ts";
import { listPublishedFlows } from "../version-store.ts";

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

function flowThatSays(text: string, voice?: string): Flow {
  return Flow.parse({
    schemaVersion: 1,
    nodes: [
      { id: "begin", type: "start", next: "bye" },
      { id: "bye", type: "end", text },
    ],
    ...(voice === undefined ? {} : { settings: { voice } }),
  });
}

const saidBy = (flow: Flow) => flow.nodes.flatMap((node) => (node.type === "end" ? [node.text] : []));

it("rendering covers the versions in use, each once, and versions published since", async () => {
  const client = await api.addAccount("Ours");
  const publish = async (text: string) => {
    const agent = (await client.send("POST", "/agents", { body: { name: text, flow: flowThatSays(text) } })).read(
      Agent,
    );
    expect((await client.send("POST", `/agents/${agent.id}/publish`)).status).toBe(200);
    return agent;
  };
  const first = await publish("One.");
  await publish("Two.");
  await client.send("POST", "/agents", { body: { name: "Draft", flow: flowThatSays("Never.") } });
  await client.send("POST", `/agents/${first.id}/publish`);
  const rows = await listPublishedFlows(database.db, { createdAt: new Date(0), id: "" }, 10);
  expect(rows.flatMap(({ flow }) => saidBy(flow))).toEqual(["Two.", "One."]);
  const last = rows.at(-1);
  if (last === undefined) throw new Error("nothing was published");
  const after = { createdAt: last.created_at, id: last.id };
  expect(await listPublishedFlows(database.db, after, 10)).toEqual([]);
  await publish("Three.");
  expect((await listPublishedFlows(database.db, after, 10)).flatMap(({ flow }) => saidBy(flow))).toEqual(["Three."]);
});

it("a voice that does not exist is refused at publishing, with the names of those that do", async () => {
  const client = await api.addAccount("Theirs");
  const body = { name: "Agent", flow: flowThatSays("Bye.", "hal") };
  const agent = (await client.send("POST", "/agents", { body })).read(Agent);
  const refused = await client.send("POST", `/agents/${agent.id}/publish`);
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toMatch(/flow\.settings\.voice.*af_heart.*slt/);
});
