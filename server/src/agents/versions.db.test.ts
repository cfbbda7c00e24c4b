import {
  Agent,
  AgentSummary,
  AgentVersion,
  AgentVersionSummary,
  FlowCheck,
  PublishedVersion,
} from "@parley/contract/agents";
import { EMPTY_FLOW, type Flow } from "@parley/contract/flow";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { inTransaction, run } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient, walkPages } from "../platform/http/testing/open-test-api.ts";
import { createEngineRegistry } from "../speech/models/engine-registry.ts";
import type { ExitChecker } from "./confusable-exits.ts";
import { findPublishedAgent } from "./find-published-agent.ts";
import { agentRoutes } from "./routes.ts";
import { addSampleAgents, SAMPLE_AGENTS } from "./sample-agents.ts";
import { addScenarios } from "./scenarios/scenario-store.ts";

let database: TestDatabase;
let api: TestApi;
let ours: TestClient;
let theirs: TestClient;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  const engines = createEngineRegistry();
  api = openTestApi(database.db, (cursors) =>
    agentRoutes({ db: database.db, cursors, engines, addScenarios, checkExits }),
  );
  ours = await api.addAccount("Ours");
  theirs = await api.addAccount("Theirs");
});
afterAll(async () => {
  await api.close();
  await database.close();
});

/** Takes every choice called "come" for a phrase that is not understood. */
const checkExits: ExitChecker = async ({ nodes }) =>
  nodes.flatMap((node, index) =>
    node.type === "ask" && node.exits[0]?.when === "come"
      ? [{ code: "misunderstood_phrase", param: `flow.nodes[${index}].exits[0].when`, message: "It is asked about." }]
      : [],
  );

const flowSaying = (text: string): Flow => ({
  ...EMPTY_FLOW,
  nodes: [
    { id: "start", type: "start", next: "bye" },
    { id: "bye", type: "end", text },
  ],
});

async function create(fields: object = {}): Promise<Agent> {
  const body = { name: "Agent", flow: flowSaying("Goodbye."), ...fields };
  return (await ours.send("POST", "/agents", { body })).read(Agent);
}

async function publish(agentId: string, note?: string): Promise<PublishedVersion> {
  const request = note === undefined ? {} : { body: { note } };
  return (await ours.send("POST", `/agents/${agentId}/publish`, request)).read(PublishedVersion);
}

const read = async (agentId: string) => (await ours.send("GET", `/agents/${agentId}`)).read(Agent);

/** A question whose two choices both have the phrase "sure". */
const vagueFlow: Flow = {
  ...EMPTY_FLOW,
  settings: { callback: { offer: false } },
  nodes: [
    { id: "start", type: "start", next: "plan" },
    {
      id: "plan",
      type: "ask",
      text: "Will you come, or stay?",
      answer: "choice",
      exits: [
        { when: "come", phrases: ["sure"], next: "bye" },
        { when: "stay", phrases: ["sure"], next: "bye" },
      ],
      otherwise: "bye",
    },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
};
const BY_WORDS = { code: "indistinct_exits", param: "flow.nodes[1].exits[0].phrases[0]" };
const BY_MODEL = { code: "misunderstood_phrase", param: "flow.nodes[1].exits[0].when" };

describe("checking a draft", () => {
  const check = async (agentId: string, body: object = {}) =>
    (await ours.send("POST", `/agents/${agentId}/check`, { body })).read(FlowCheck);

  it("reports exits that cannot be distinguished by their words and by the models of a call", async () => {
    const agent = await create({ flow: vagueFlow });
    expect(await check(agent.id)).toMatchObject({ problems: [], warnings: [BY_WORDS, BY_MODEL] });
    expect(await read(agent.id)).toMatchObject({ publishedVersion: null, revision: 1 });
  });

  it("checks another flow in place of the draft, and says what keeps it from being published", async () => {
    const agent = await create({ flow: vagueFlow });
    const flow = { ...EMPTY_FLOW, nodes: [{ id: "start", type: "start", next: "gone" }] };
    expect((await check(agent.id, { flow })).problems).toMatchObject([{ code: "unknown_node" }]);
  });

  it("does not find the agents of others", async () => {
    const agent = await create();
    expect(await theirs.send("POST", `/agents/${agent.id}/check`)).toMatchObject({ status: 404 });
  });
});

describe("publishing", () => {
  it("reports exits that cannot be distinguished, and publishes anyway", async () => {
    const version = await publish((await create({ flow: vagueFlow })).id);
    expect(version).toMatchObject({ version: 1, published: true, warnings: [BY_WORDS, BY_MODEL] });
  });

  it("freezes the draft as a version that later changes do not touch", async () => {
    const agent = await create({ engine: "local", flow: flowSaying("One 👋.") });
    const version = await publish(agent.id, "first ✅");
    expect(version).toMatchObject({
      agentId: agent.id,
      version: 1,
      note: "first ✅",
      engine: "local",
      published: true,
    });
    const change = { body: { flow: flowSaying("Two."), engine: null }, headers: { "if-match": "1" } };
    await ours.send("PATCH", `/agents/${agent.id}`, change);
    const frozen = (await ours.send("GET", `/agents/${agent.id}/versions/1`)).read(AgentVersion);
    expect({ ...frozen, warnings: [] }).toEqual(version);
    expect(frozen.flow).toEqual(flowSaying("One 👋."));
    expect(await read(agent.id)).toMatchObject({ publishedVersion: 1, revision: 2 });
  });

  it("publishes only the revision that is named, where one is", async () => {
    const agent = await create();
    const ask = (ifMatch: string) =>
      ours.send("POST", `/agents/${agent.id}/publish`, { body: {}, headers: { "if-match": ifMatch } });
    expect(await ask('"2"')).toMatchObject({ status: 412, body: { error: { code: "draft_conflict" } } });
    expect((await read(agent.id)).publishedVersion).toBeNull();
    expect((await ask('"1"')).read(PublishedVersion).version).toBe(1);
  });

  it("reports what calls will lack, and publishes anyway", async () => {
    const talk = { id: "talk", type: "conversation", prompt: "Be kind.", exits: [], otherwise: "bye" };
    const { nodes } = flowSaying("Goodbye.");
    const last = nodes.at(-1);
    const flow = {
      schemaVersion: 1,
      variables: ["first_name"],
      nodes: [{ id: "begin", type: "start", next: "talk" }, { ...talk, otherwise: last?.id }, last],
    };
    const agent = await create({ flow });
    const version = await publish(agent.id);
    expect(version).toMatchObject({ version: 1, published: true });
    expect(version.warnings).toMatchObject([
      { code: "no_model", param: "flow.nodes[1]", message: expect.stringContaining("talk") },
      { code: "unused_variable", param: "flow.variables[0]", message: expect.stringContaining("first_name") },
    ]);
  });

  it("works without a body, and numbers concurrently published versions without gaps", async () => {
    const agent = await create();
    const versions = await Promise.all(Array.from({ length: 6 }, () => publish(agent.id)));
    expect(versions.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await read(agent.id)).toMatchObject({ publishedVersion: 6 });
  });

  it("refuses a flow that does not compile, with one detail for each problem", async () => {
    const nodes: Flow["nodes"] = [
      { id: "start", type: "start", next: "hello" },
      { id: "hello", type: "say", text: "Hello {{name}}.", next: "nowhere" },
    ];
    const agent = await create({ flow: { ...EMPTY_FLOW, nodes } });
    const reply = await ours.send("POST", `/agents/${agent.id}/publish`);
    expect(reply).toMatchObject({ status: 422, body: { error: { code: "validation_failed" } } });
    expect(reply.body.error?.details?.map(({ param, code }) => ({ param, code }))).toEqual([
      { param: "flow.nodes[1].next", code: "unknown_node" },
      { param: "flow.nodes[1].text", code: "undeclared_variable" },
    ]);
    expect(reply.body.error?.message).toContain(`hello leads to "nowhere"`);
    expect(await read(agent.id)).toMatchObject({ publishedVersion: null });
  });

  it("publishes once per Idempotency-Key, and accepts a corrected request with the key of a refused one", async () => {
    const agent = await create({ flow: EMPTY_FLOW });
    const request = { headers: { "idempotency-key": "publish-once" } };
    expect((await ours.send("POST", `/agents/${agent.id}/publish`, request)).status).toBe(422);
    const change = { body: { flow: flowSaying("Mended.") }, headers: { "if-match": "1" } };
    await ours.send("PATCH", `/agents/${agent.id}`, change);
    const first = await ours.send("POST", `/agents/${agent.id}/publish`, request);
    const second = await ours.send("POST", `/agents/${agent.id}/publish`, request);
    expect(first.read(PublishedVersion).version).toBe(1);
    expect(second.body).toEqual(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(await read(agent.id)).toMatchObject({ publishedVersion: 1 });
  });
});

describe("whether the draft is newer than the published version", () => {
  const change = async (agent: Agent, body: object) =>
    (await ours.send("PATCH", `/agents/${agent.id}`, { body, headers: { "if-match": String(agent.revision) } })).read(
      Agent,
    );
  const isNewer = ({ revision, publishedRevision }: Agent) => revision !== publishedRevision;

  it("is reported after the flow was changed or rolled back, not after publishing or renaming", async () => {
    const agent = await create();
    expect(agent.publishedRevision).toBeNull();
    await publish(agent.id);
    expect(isNewer(await read(agent.id))).toBe(false);
    const renamed = await change(await read(agent.id), { name: "Renamed", description: "and described" });
    expect(isNewer(renamed)).toBe(false);
    const rewritten = await change(renamed, { flow: flowSaying("Two.") });
    expect(isNewer(rewritten)).toBe(true);
    expect(isNewer(await change(rewritten, { name: "Again" }))).toBe(true);
    await publish(agent.id);
    expect(isNewer(await read(agent.id))).toBe(false);
    await ours.send("POST", `/agents/${agent.id}/rollback`, { body: { version: 1 } });
    expect(isNewer(await read(agent.id))).toBe(true);
  });
});

describe("an agent that was deleted", () => {
  it("is restored unchanged, any number of times, and by its own account only", async () => {
    const agent = await create();
    await publish(agent.id);
    const before = await read(agent.id);
    await ours.send("DELETE", `/agents/${agent.id}`);
    expect((await theirs.send("POST", `/agents/${agent.id}/restore`)).status).toBe(404);
    expect((await ours.send("GET", `/agents/${agent.id}`)).status).toBe(404);
    for (const _time of [1, 2]) {
      const reply = await ours.send("POST", `/agents/${agent.id}/restore`);
      expect(reply.read(Agent)).toEqual(before);
    }
    expect(await read(agent.id)).toEqual(before);
  });
});

describe("the audit log", () => {
  it("names the agent that was created, published, deleted or restored, and the version", async () => {
    const agent = await create({ name: "Reminder" });
    const { id } = await publish(agent.id);
    await ours.send("DELETE", `/agents/${agent.id}`);
    await ours.send("POST", `/agents/${agent.id}/restore`);
    const notes = await run(
      database.db,
      "select action, target, data from audit_log where target = any($1::text[]) order by id",
      [[agent.id, id]],
    );
    expect(notes).toEqual([
      { action: "agent.created", target: agent.id, data: { name: "Reminder" } },
      { action: "agent.published", target: id, data: { name: "Reminder", version: 1 } },
      { action: "agent.deleted", target: agent.id, data: { name: "Reminder" } },
      { action: "agent.restored", target: agent.id, data: { name: "Reminder" } },
    ]);
  });
});

describe("versions", () => {
  it("are listed newest first, page by page, and show which one new calls use", async () => {
    const agent = await create();
    for (let count = 0; count < 5; count += 1) await publish(agent.id);
    await ours.send("POST", `/agents/${agent.id}/rollback`, { body: { version: 2 } });
    const seen = await walkPages(ours, `/agents/${agent.id}/versions`, 2, AgentVersionSummary);
    expect(seen.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
    expect(seen.filter(({ published }) => published).map(({ version }) => version)).toEqual([2]);
  });

  it("refuse a cursor that was altered or comes from another agent's versions", async () => {
    const [agent, other] = [await create(), await create()];
    for (let count = 0; count < 2; count += 1) await publish(agent.id);
    const page = await ours.send("GET", `/agents/${agent.id}/versions?limit=1`);
    const { nextCursor } = page.readPage(AgentVersionSummary);
    for (const reply of [
      await ours.send("GET", `/agents/${agent.id}/versions?cursor=${nextCursor}x`),
      await ours.send("GET", `/agents/${other.id}/versions?cursor=${nextCursor}`),
    ]) {
      expect(reply).toMatchObject({ status: 422, body: { error: { code: "validation_failed", param: "cursor" } } });
    }
  });

  it("that do not exist are not found, and an invalid version number is rejected", async () => {
    const agent = await create();
    await publish(agent.id);
    expect(await ours.send("GET", `/agents/${agent.id}/versions/2`)).toMatchObject({
      status: 404,
      body: { error: { code: "not_found" } },
    });
    for (const version of ["0", "1.5", "first", "99999999999"]) {
      expect((await ours.send("GET", `/agents/${agent.id}/versions/${version}`)).status).toBe(422);
    }
  });
});

describe("rolling back", () => {
  it("makes new calls use an earlier version and leaves the draft alone", async () => {
    const agent = await create();
    await publish(agent.id);
    await publish(agent.id);
    const reply = await ours.send("POST", `/agents/${agent.id}/rollback`, { body: { version: 1 } });
    expect(reply.read(Agent)).toMatchObject({ publishedVersion: 1, revision: agent.revision, flow: agent.flow });
    expect(await publish(agent.id)).toMatchObject({ version: 3, published: true });
  });

  it("is audited once with both versions, even when undone; a rollback to the version in use is not", async () => {
    const agent = await create();
    await publish(agent.id);
    await publish(agent.id);
    const rollBack = (version: number) => ours.send("POST", `/agents/${agent.id}/rollback`, { body: { version } });
    await rollBack(1);
    expect((await rollBack(1)).read(Agent)).toMatchObject({ publishedVersion: 1 });
    await rollBack(2);
    await rollBack(9);
    const notes = await run(
      database.db,
      "select actor, data from audit_log where action = 'agent.rolled_back' and target = $1 order by id",
      [agent.id],
    );
    const by = { actor: `key_${ours.accountId}` };
    expect(notes).toEqual([
      { ...by, data: { name: agent.name, version: { from: 2, to: 1 } } },
      { ...by, data: { name: agent.name, version: { from: 1, to: 2 } } },
    ]);
  });

  it("to a version that does not exist is not found and changes nothing", async () => {
    const agent = await create();
    await publish(agent.id);
    const reply = await ours.send("POST", `/agents/${agent.id}/rollback`, { body: { version: 9 } });
    expect(reply).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect(await read(agent.id)).toMatchObject({ publishedVersion: 1 });
  });
});

describe("what a call to an agent uses", () => {
  const find = (agentId: string, version?: number, client = ours) =>
    findPublishedAgent(database.db, client.accountId, agentId, version);

  it("is the published version or the requested one", async () => {
    const agent = await create({ engine: "local" });
    expect(await find(agent.id)).toEqual({ exists: true, publishedVersion: null, chosen: null });
    await publish(agent.id);
    await ours.send("PATCH", `/agents/${agent.id}`, { body: { engine: null }, headers: { "if-match": "1" } });
    await publish(agent.id);
    expect(await find(agent.id)).toMatchObject({ publishedVersion: 2, chosen: { version: 2, engine: null } });
    expect(await find(agent.id, 1)).toMatchObject({ publishedVersion: 2, chosen: { version: 1, engine: "local" } });
    expect(await find(agent.id, 3)).toMatchObject({ publishedVersion: 2, chosen: null });
  });

  it("is nothing for another account, and nothing once the agent is deleted, while its versions stay", async () => {
    const agent = await create();
    await publish(agent.id);
    expect(await find(agent.id, undefined, theirs)).toEqual({ exists: false });
    await ours.send("DELETE", `/agents/${agent.id}`);
    expect(await find(agent.id)).toEqual({ exists: false });
    const kept = await database.db
      .selectFrom("agent_versions")
      .select("version")
      .where("agent_id", "=", agent.id)
      .execute();
    expect(kept).toEqual([{ version: 1 }]);
  });
});

describe("a new account", () => {
  it("finds the sample agents published, appointment confirmation first", async () => {
    const client = await api.addAccount("New");
    const ids = await inTransaction(database.db, (tx) => addSampleAgents(tx, client.accountId, async () => undefined));
    const agents = (await client.send("GET", "/agents")).readPage(AgentSummary).data;
    expect(agents.map(({ name }) => name)).toEqual(SAMPLE_AGENTS.map(({ name }) => name));
    expect(agents[0]?.name).toBe("Appointment confirmation");
    expect(agents.map(({ id }) => id)).toEqual(ids);
    for (const { id, publishedVersion } of agents) {
      expect(publishedVersion).toBe(1);
      const version = (await client.send("GET", `/agents/${id}/versions/1`)).read(AgentVersion);
      expect(version.published).toBe(true);
      // The published flow is the draft, so publishing it again works immediately.
      expect((await client.send("POST", `/agents/${id}/publish`)).read(PublishedVersion).flow).toEqual(version.flow);
    }
  });
});
