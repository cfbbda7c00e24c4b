import { Agent, AgentVersion, FlowCheck, PublishedVersion } from "@parley/contract/agents";
import { Flow, type FlowNode } from "@parley/contract/flow";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { inTransaction } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient } from "../platform/http/testing/open-test-api.ts";
import { createEngineRegistry } from "../speech/models/engine-registry.ts";
import { pinDraft } from "./drafts.ts";
import { findPublishedAgent } from "./find-published-agent.ts";
import { findTriedFlow, withSubFlows } from "./find-tried-flow.ts";
import { readAgentVersion } from "./read-agent-version.ts";
import { agentRoutes } from "./routes.ts";
import { addScenarios } from "./scenarios/scenario-store.ts";

let t: TestDatabase;
let api: TestApi;
let ada: TestClient;
let bob: TestClient;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(t.db, (cursors) =>
    agentRoutes({ db: t.db, cursors, engines: createEngineRegistry(), addScenarios }),
  );
  ada = await api.addAccount("Ada");
  bob = await api.addAccount("Bob");
});
afterAll(async () => {
  await api.close();
  await t.close();
});

const flowOf = (...nodes: FlowNode[]) =>
  Flow.parse({
    schemaVersion: 1,
    nodes: [{ id: "start", type: "start", next: nodes[0]?.id }, ...nodes, { id: "bye", type: "end", outcome: "done" }],
  });
const saying = (text: string) => flowOf({ id: "news", type: "say", text, next: "bye" });
const using = (agentId: string, version = 1) =>
  flowOf({ id: "part", type: "subflow", agentId, version, exits: [{ when: "done", next: "bye" }] });

async function agentOf(flow: Flow, client = ada): Promise<string> {
  return (await client.send("POST", "/agents", { body: { name: "Agent", flow } })).read(Agent).id;
}
async function publish(id: string, client = ada) {
  return (await client.send("POST", `/agents/${id}/publish`, { body: {} })).read(PublishedVersion);
}
async function change(id: string, flow: Flow): Promise<void> {
  const { revision } = (await ada.send("GET", `/agents/${id}`)).read(Agent);
  const changed = await ada.send("PATCH", `/agents/${id}`, {
    body: { flow },
    headers: { "if-match": String(revision) },
  });
  expect(changed.status).toBe(200);
}
async function published(flow: Flow, client = ada): Promise<string> {
  const id = await agentOf(flow, client);
  await publish(id, client);
  return id;
}
const problemsOf = async (id: string) =>
  (await ada.send("POST", `/agents/${id}/check`, { body: {} }))
    .read(FlowCheck)
    .problems.map(({ code, param }) => `${code} ${param}`);
const textsOf = ({ nodes }: Flow) => nodes.flatMap((node) => (node.type === "say" ? [node.text] : []));

test("a published agent keeps the sub-flow it was published with, whatever becomes of its agent", async () => {
  const part = await published(saying("The shop is open."));
  const whole = await agentOf(using(part));
  expect(await problemsOf(whole)).toEqual([]);
  const { flow } = await publish(whole);
  // The version shows what was drawn; calls hold what it stands for.
  expect(flow).toEqual(using(part));
  const version = (await ada.send("GET", `/agents/${whole}/versions/1`)).read(AgentVersion);
  expect(version.flow).toEqual(using(part));
  await change(part, saying("The shop is closed."));
  await publish(part);
  expect((await ada.send("DELETE", `/agents/${part}`)).status).toBe(200);
  const held = await readAgentVersion(t.db, whole, 1);
  expect(textsOf(held.flow)).toEqual(["The shop is open."]);
  expect(held.flow.nodes.map(({ id }) => id)).toEqual(["start", "part", "bye", "part__news"]);
});

test("a draft with a sub-flow is tried and called with it", async () => {
  const part = await published(saying("The shop is open."));
  const whole = await agentOf(using(part));
  const tried = await withSubFlows(t.db, ada.accountId, await findTriedFlow(t.db, ada.accountId, whole, {}));
  expect(textsOf(tried.flow)).toEqual(["The shop is open."]);
  const pin = () => inTransaction(t.db, (tx) => pinDraft(tx, ada.accountId, whole));
  expect((await pin()).version).toBe(-1);
  expect((await pin()).version).toBe(-1);
  expect(textsOf((await readAgentVersion(t.db, whole, -1)).flow)).toEqual(["The shop is open."]);
});

test("a call needs a language model if a sub-flow does", async () => {
  const talk: FlowNode = {
    id: "talk",
    type: "conversation",
    prompt: "Help.",
    exits: [{ when: "done", next: "bye" }],
    otherwise: "bye",
  };
  const whole = await published(using(await published(flowOf(talk))));
  expect(await findPublishedAgent(t.db, ada.accountId, whole)).toMatchObject({ chosen: { needsModel: true } });
});

test("a flow can use one that uses another", async () => {
  const inner = await published(saying("Inside."));
  const middle = await published(using(inner));
  const outer = await published(using(middle));
  const { flow } = await readAgentVersion(t.db, outer, 1);
  expect(flow.nodes.at(-1)).toMatchObject({ id: "part__part__news", text: "Inside." });
});

test("a flow that is unknown, deleted, not published or of another account cannot be used", async () => {
  const deleted = await published(saying("Gone."));
  await ada.send("DELETE", `/agents/${deleted}`);
  const draft = await agentOf(saying("Not published."));
  const others = await published(saying("Secret."), bob);
  const known = await published(saying("Version 1."));
  const refused = [using(makeId("agent")), using(deleted), using(draft), using(others), using(known, 2)];
  for (const flow of refused) {
    const id = await agentOf(flow);
    expect(await problemsOf(id)).toEqual(["unknown_sub_flow flow.nodes[1].agentId"]);
    const answer = await ada.send("POST", `/agents/${id}/publish`, { body: {} });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).not.toContain("Secret.");
    await expect(
      findTriedFlow(t.db, ada.accountId, id, {}).then((found) => withSubFlows(t.db, ada.accountId, found)),
    ).rejects.toMatchObject({ code: "validation_failed" });
  }
});

test("two agents cannot contain each other", async () => {
  const one = await published(saying("One."));
  const two = await published(using(one));
  await change(one, using(two));
  expect(await problemsOf(one)).toEqual(["sub_flow_cycle flow.nodes[1].agentId"]);
});
