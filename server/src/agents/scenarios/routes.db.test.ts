import { AgentTemplate } from "@parley/contract/agent-templates";
import { Agent } from "@parley/contract/agents";
import { makeId } from "@parley/contract/ids";
import { SCENARIOS_PER_AGENT_MAX, Scenario, ScenarioRun } from "@parley/contract/scenarios";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient, walkPages } from "../../platform/http/testing/open-test-api.ts";
import { createEngineRegistry } from "../../speech/models/engine-registry.ts";
import { agentRoutes } from "../routes.ts";
import { AGENT_TEMPLATES, addSampleAgents, SAMPLE_AGENTS } from "../sample-agents.ts";
import { scenarioRoutes } from "./routes.ts";
import { deleteOldRuns } from "./run-store.ts";
import { addScenarios } from "./scenario-store.ts";

let t: TestDatabase;
let api: TestApi;
let ada: TestClient;
let bob: TestClient;
const placed: string[] = [];

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(t.db, (cursors) => [
    ...agentRoutes({ db: t.db, cursors, engines: createEngineRegistry(), addScenarios }),
    ...scenarioRoutes({
      db: t.db,
      cursors,
      templates: AGENT_TEMPLATES,
      nowMs: () => Date.UTC(2026, 2, 2, 12),
      brains: { modelNames: [], models: async () => [], ranker: () => null },
      refuseUnavailable: () => undefined,
      follower: { follow: () => undefined },
      async placeCall(_tx, _actor, request, agentVersion) {
        placed.push(`${request.phoneNumber.slice(-4)} ${agentVersion}`);
        throw new Error("nobody is called here");
      },
    }),
  ]);
  ada = await api.addAccount("Ada");
  bob = await api.addAccount("Bob");
});
afterAll(async () => {
  await api.close();
  await t.close();
});

const FLOW = {
  schemaVersion: 1,
  settings: { disclosure: null },
  nodes: [
    { id: "start", type: "start", next: "comes" },
    {
      id: "comes",
      type: "ask",
      text: "Will you come?",
      answer: "yes_no",
      saveAs: "comes",
      exits: [],
      otherwise: "bye",
    },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
};
const COMES = {
  name: "Comes",
  steps: [{ say: "Yes." }],
  expect: [
    { type: "collected", name: "comes", equals: true },
    { type: "ended", reason: "agent_hangup" },
  ],
};

async function agentOf(client: TestClient): Promise<string> {
  return (await client.send("POST", "/agents", { body: { name: "Tried", flow: FLOW } })).read(Agent).id;
}

const add = async (agentId: string, body: object = COMES) =>
  (await ada.send("POST", `/agents/${agentId}/scenarios`, { body })).read(Scenario);
const runAll = (agentId: string, body: object = { on: "text" }) =>
  ada.send("POST", `/agents/${agentId}/scenarios/run`, { body });

describe("the scenarios of an agent", () => {
  test("are listed in the order of creation, changed and deleted", async () => {
    const id = await agentOf(ada);
    const first = await add(id);
    const second = await add(id, { ...COMES, name: "Does not come", variables: { name: "Ada" } });
    expect(second).toMatchObject({ agentId: id, variables: { name: "Ada" }, toolReplies: {}, madeFromCallId: null });
    expect((await walkPages(ada, `/agents/${id}/scenarios`, 1, Scenario)).map(({ name }) => name)).toEqual([
      ...["Comes", "Does not come"],
    ]);
    const steps = [{ silent: true }, { say: "Yes." }];
    const changed = (await ada.send("PATCH", `/scenarios/${first.id}`, { body: { steps } })).read(Scenario);
    expect(changed).toMatchObject({ name: "Comes", steps });
    expect((await ada.send("DELETE", `/scenarios/${second.id}`)).status).toBe(200);
    expect((await ada.send("DELETE", `/scenarios/${second.id}`)).body.error?.code).toBe("not_found");
  });

  test("are invisible to other accounts, and deleted with their agent", async () => {
    const id = await agentOf(ada);
    const { id: scenarioId } = await add(id);
    expect((await bob.send("GET", `/agents/${id}/scenarios`)).body.error?.code).toBe("agent_not_found");
    expect((await bob.send("POST", `/agents/${id}/scenarios`, { body: COMES })).body.error?.code).toBe(
      "agent_not_found",
    );
    const change = { body: { name: "Mine" } };
    expect((await bob.send("PATCH", `/scenarios/${scenarioId}`, change)).body.error?.code).toBe("not_found");
    expect((await bob.send("DELETE", `/scenarios/${scenarioId}`)).body.error?.code).toBe("not_found");
    await ada.send("DELETE", `/agents/${id}`);
    expect((await ada.send("PATCH", `/scenarios/${scenarioId}`, change)).body.error?.code).toBe("not_found");
  });

  test.each([
    [{ steps: [{ say: "Hi" }, { machine: "voicemail" }] }, "steps"],
    [{ steps: [{ hangUp: true }, { say: "Hi" }] }, "steps"],
    [{ expect: [] }, "expect"],
    [{ expect: [{ type: "reached", nodeId: "Not an id" }] }, "expect[0].nodeId"],
    [{ toolReplies: { hours: { status: 99 } } }, "toolReplies.hours.status"],
  ])("are refused with %j", async (change, param) => {
    const id = await agentOf(ada);
    const { status, body } = await ada.send("POST", `/agents/${id}/scenarios`, { body: { ...COMES, ...change } });
    expect([status, body.error?.param]).toEqual([422, param]);
  });

  test("come with the sample agents of a new account", async () => {
    const client = await api.addAccount("New");
    const ids = await inTransaction(t.db, (tx) => addSampleAgents(tx, client.accountId, addScenarios));
    for (const [index, { scenarios }] of SAMPLE_AGENTS.entries()) {
      const listed = await walkPages(client, `/agents/${ids[index]}/scenarios`, 100, Scenario);
      expect(listed.map(({ name }) => name)).toEqual(scenarios.map(({ name }) => name));
    }
  });

  test("come with a new agent in one request, as the agents to begin with do", async () => {
    const [template] = AGENT_TEMPLATES;
    if (!template) throw new Error("there is nothing to begin with");
    const { id: _, needsModel: __, ...body } = template;
    const made = await ada.send("POST", "/agents", { body });
    const listed = await walkPages(ada, `/agents/${made.read(Agent).id}/scenarios`, 100, Scenario);
    expect(listed.map((scenario) => scenario.name)).toEqual(template.scenarios.map((scenario) => scenario.name));
  });

  test("are added in batches in their order, and none of them where one is invalid", async () => {
    const id = await agentOf(ada);
    const add = (scenarios: readonly object[], client = ada) =>
      client.send("POST", `/agents/${id}/scenarios/import`, { body: { scenarios } });
    const names = async () => (await walkPages(ada, `/agents/${id}/scenarios`, 100, Scenario)).map(({ name }) => name);
    expect((await add([COMES, { ...COMES, name: "Again" }])).body.data).toEqual({ addedCount: 2 });
    expect(await names()).toEqual(["Comes", "Again"]);
    const wrong = await add([COMES, { ...COMES, expect: [] }]);
    expect([wrong.status, wrong.body.error?.param]).toEqual([422, "scenarios[1].expect"]);
    const tooMany = await add(Array.from({ length: SCENARIOS_PER_AGENT_MAX - 1 }, () => COMES));
    expect([tooMany.status, tooMany.body.error?.code]).toEqual([409, "invalid_state"]);
    expect((await add([COMES], bob)).body.error?.code).toBe("agent_not_found");
    expect(await names()).toEqual(["Comes", "Again"]);
  });

  test("come with the agents to begin with", async () => {
    const templates = (await ada.send("GET", "/agent-templates")).read(z.array(AgentTemplate));
    expect(templates.map(({ name, needsModel }) => `${name} ${needsModel}`)).toContain("Receptionist true");
    expect(templates.every(({ scenarios }) => scenarios.length >= 8)).toBe(true);
  });
});

describe("a run by text", () => {
  test("says which pass, and where the others failed and what was said instead", async () => {
    const id = await agentOf(ada);
    const good = await add(id);
    const bad = await add(id, { ...COMES, name: "Refuses", steps: [{ say: "No." }] });
    const done = (await runAll(id)).read(ScenarioRun);
    expect(done).toMatchObject({ agentId: id, on: "text", status: "done", passed: 1, failed: 1 });
    expect(done.results).toMatchObject([
      {
        scenarioId: good.id,
        status: "passed",
        failure: null,
        path: ["start", "comes", "bye"],
        endReason: "agent_hangup",
      },
      {
        scenarioId: bad.id,
        status: "failed",
        collected: { comes: false },
        failure: { expectation: { type: "collected" }, step: 1, nodeId: "bye", said: "Goodbye." },
      },
    ]);
    expect((await ada.send("GET", `/scenario-runs/${done.id}`)).read(ScenarioRun)).toEqual(done);
    expect((await bob.send("GET", `/scenario-runs/${done.id}`)).body.error?.code).toBe("not_found");
    expect((await runAll(id, { on: "text", ids: [good.id] })).read(ScenarioRun).passed).toBe(1);
  });

  test("runs a document or a version in place of the draft", async () => {
    const id = await agentOf(ada);
    await add(id);
    await ada.send("POST", `/agents/${id}/publish`, { body: {} });
    expect((await runAll(id, { on: "text", version: 1 })).read(ScenarioRun).passed).toBe(1);
    const flow = {
      ...FLOW,
      nodes: FLOW.nodes.map((node) => (node.id === "comes" ? { ...node, saveAs: "other" } : node)),
    };
    expect((await runAll(id, { on: "text", flow })).read(ScenarioRun).failed).toBe(1);
  });

  test("is refused where there is nothing to run, or nothing that could be held", async () => {
    const id = await agentOf(ada);
    expect((await runAll(id)).body.error?.code).toBe("invalid_state");
    await add(id);
    expect((await runAll(id, { on: "text", ids: [makeId("scenario")] })).body.error?.code).toBe("not_found");
    expect((await runAll(id, { on: "text", version: 3 })).body.error?.code).toBe("not_found");
    const flow = { schemaVersion: 1, nodes: [] };
    expect((await runAll(id, { on: "text", flow })).body.error).toMatchObject({ code: "validation_failed" });
    expect((await runAll(makeId("agent"))).body.error?.code).toBe("agent_not_found");
  });

  test("is forgotten after a month, and the scenarios stay", async () => {
    const id = await agentOf(ada);
    await add(id);
    const { id: runId } = (await runAll(id)).read(ScenarioRun);
    await deleteOldRuns(t.db);
    expect((await ada.send("GET", `/scenario-runs/${runId}`)).status).toBe(200);
    await run(t.db, "update scenario_runs set created_at = created_at - interval '31 days' where id = $1", [runId]);
    await deleteOldRuns(t.db);
    expect((await ada.send("GET", `/scenario-runs/${runId}`)).status).toBe(404);
    expect(await walkPages(ada, `/agents/${id}/scenarios`, 100, Scenario)).toHaveLength(1);
  });
});

describe("a run by voice", () => {
  test("tries the draft under its own number, which no list of versions shows", async () => {
    const id = await agentOf(ada);
    await add(id);
    expect((await runAll(id, { on: "audio" })).status).toBe(500);
    expect(placed).toEqual(["0001 -1"]);
    expect((await ada.send("GET", `/agents/${id}/versions`)).body.data).toEqual([]);
    const published = await ada.send("POST", `/agents/${id}/publish`, { body: {} });
    expect(published.body.data).toMatchObject({ version: 1 });
  });
});
