import { Agent, AgentVersionSummary } from "@parley/contract/agents";
import { Flow } from "@parley/contract/flow";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { inTransaction } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient, walkPages } from "../platform/http/testing/open-test-api.ts";
import { createEngineRegistry } from "../speech/models/engine-registry.ts";
import { pinDraft } from "./drafts.ts";
import { findPublishedAgent } from "./find-published-agent.ts";
import { readAgentVersion } from "./read-agent-version.ts";
import { agentRoutes } from "./routes.ts";
import { addScenarios } from "./scenarios/scenario-store.ts";

let t: TestDatabase;
let api: TestApi;
let ada: TestClient;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(t.db, (cursors) =>
    agentRoutes({ db: t.db, cursors, engines: createEngineRegistry(), addScenarios }),
  );
  ada = await api.addAccount("Ada");
});
afterAll(async () => {
  await api.close();
  await t.close();
});

const flowSaying = (text: string) =>
  Flow.parse({
    schemaVersion: 1,
    nodes: [
      { id: "start", type: "start", next: "bye" },
      { id: "bye", type: "end", text },
    ],
  });

const agentOf = async (flow: object = flowSaying("Goodbye.")) =>
  (await ada.send("POST", "/agents", { body: { name: "Draft", flow } })).read(Agent).id;
const pin = (agentId: string, document?: Flow, accountId = ada.accountId) =>
  inTransaction(t.db, (tx) => pinDraft(tx, accountId, agentId, document));

test("a draft that is tried is kept once for the same words, and calls find it", async () => {
  const id = await agentOf();
  expect(await pin(id)).toEqual({ version: -1, engine: null, language: "en-US", needsModel: false });
  expect((await pin(id)).version).toBe(-1);
  expect((await pin(id, flowSaying("See you."))).version).toBe(-2);
  expect((await pin(id)).version).toBe(-1);
  expect((await readAgentVersion(t.db, id, -2)).flow.nodes[1]).toMatchObject({ text: "See you." });
  expect(await findPublishedAgent(t.db, ada.accountId, id, -1)).toMatchObject({
    exists: true,
    chosen: { version: -1 },
  });
});

test("a tried draft is not a version: no list shows it, and the first published version is number one", async () => {
  const id = await agentOf();
  await pin(id);
  await pin(id, flowSaying("See you."));
  expect((await ada.send("POST", `/agents/${id}/publish`, { body: {} })).body.data).toMatchObject({ version: 1 });
  expect(
    (await walkPages(ada, `/agents/${id}/versions`, 1, AgentVersionSummary)).map(({ version }) => version),
  ).toEqual([1]);
  expect((await pin(id)).version).toBe(-1);
});

test("a draft that cannot be held is refused with the node, and another account's agent is not known", async () => {
  const id = await agentOf({ schemaVersion: 1, nodes: [{ id: "start", type: "start", next: "nowhere" }] });
  await expect(pin(id)).rejects.toMatchObject({ code: "validation_failed", param: "flow.nodes[0].next" });
  await expect(pin(id, undefined, makeId("account"))).rejects.toMatchObject({ code: "agent_not_found" });
});
