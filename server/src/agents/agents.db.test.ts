import { Agent, AgentSummary } from "@parley/contract/agents";
import { EMPTY_FLOW, type FlowNode } from "@parley/contract/flow";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { run } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient, walkPages } from "../platform/http/testing/open-test-api.ts";
import { createEngineRegistry } from "../speech/models/engine-registry.ts";
import { agentRoutes } from "./routes.ts";
import { addScenarios } from "./scenarios/scenario-store.ts";

let database: TestDatabase;
let api: TestApi;
let ours: TestClient;
let theirs: TestClient;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  const engines = createEngineRegistry();
  api = openTestApi(database.db, (cursors) =>
    agentRoutes({
      db: database.db,
      cursors,
      engines,
      async addScenarios(tx, owner, scenarios) {
        await addScenarios(tx, owner, scenarios);
        if (scenarios.some(({ name }) => name === "Breaks")) throw new Error("the disk is full");
      },
    }),
  );
  ours = await api.addAccount("Ours");
  theirs = await api.addAccount("Theirs");
});
afterAll(async () => {
  await api.close();
  await database.close();
});

async function create(client: TestClient, fields: object = {}): Promise<Agent> {
  return (await client.send("POST", "/agents", { body: { name: "Agent", ...fields } })).read(Agent);
}

const NOT_FOUND = { status: 404, body: { error: { code: "agent_not_found" } } };
const NAUGHTY = [
  "👩‍👩‍👧‍👦 🇺🇳 e\u0301 ｆｕｌｌ",
  "\u202eright to left\u202c مرحبا بالعالم עברית",
  "'; drop table agents; -- \\ \" ` $x %s",
  "<script>alert(1)</script>&amp;\u0001\u0085\ufeff\uffff",
  "constructor toString __proto__ null undefined NaN",
];

describe("creating an agent", () => {
  it("creates a draft that cannot be called yet", async () => {
    const agent = await create(ours, { name: "  Reminder  " });
    expect(agent).toMatchObject({
      name: "Reminder",
      description: "",
      engine: null,
      language: "en-US",
      revision: 1,
      publishedVersion: null,
      flow: EMPTY_FLOW,
    });
    expect((await ours.send("GET", `/agents/${agent.id}`)).read(Agent)).toEqual(agent);
  });

  it.each(NAUGHTY)("keeps every character of %j", async (text) => {
    const nodes: FlowNode[] = [{ id: "bye", type: "end", label: text, text, position: { x: -1.5, y: 1e21 } }];
    const agent = await create(ours, { name: "A", description: text, flow: { ...EMPTY_FLOW, nodes } });
    const again = (await ours.send("GET", `/agents/${agent.id}`)).read(Agent);
    expect(again).toMatchObject({ name: "A", description: text, flow: { nodes } });
  });

  it("refuses an engine that does not exist and lists those that do", async () => {
    const reply = await ours.send("POST", "/agents", { body: { name: "A", engine: "warp" } });
    expect(reply).toMatchObject({ status: 422, body: { error: { code: "engine_unknown", param: "engine" } } });
    expect(reply.body.error?.message).toContain(`The engines are "local".`);
  });

  it("refuses fields that do not exist, and names that are empty or too long", async () => {
    const bodies = [
      { name: "A", nmae: "B" },
      { name: " " },
      { name: "x".repeat(121) },
      { name: "A", flow: { nodes: 1 } },
    ];
    for (const body of bodies) {
      const reply = await ours.send("POST", "/agents", { body });
      expect(reply).toMatchObject({ status: 422, body: { error: { code: "validation_failed" } } });
    }
  });

  it("takes a flow of more than a megabyte, and refuses a body above 2 MiB", async () => {
    const nodes = Array.from({ length: 500 }, (_, index) => ({ id: `n${index}`, type: "end", text: "é".repeat(1900) }));
    const agent = await create(ours, { flow: { ...EMPTY_FLOW, nodes } });
    expect((await ours.send("GET", `/agents/${agent.id}`)).read(Agent).flow.nodes).toEqual(nodes);
    const reply = await ours.send("POST", "/agents", { body: { name: "A", description: "x".repeat(2 * 1024 * 1024) } });
    expect(reply).toMatchObject({ status: 413, body: { error: { code: "payload_too_large" } } });
  });

  it("creates one agent per Idempotency-Key, whatever happens to it in between", async () => {
    const request = { body: { name: "Once" }, headers: { "idempotency-key": "create-once" } };
    const first = await ours.send("POST", "/agents", request);
    await ours.send("DELETE", `/agents/${first.read(Agent).id}`);
    const second = await ours.send("POST", "/agents", request);
    expect(second.body).toEqual(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    const other = await ours.send("POST", "/agents", { ...request, body: { name: "Twice" } });
    expect(other).toMatchObject({ status: 422, body: { error: { code: "idempotency_mismatch" } } });
  });
});

describe("creating an agent with scenarios", () => {
  const scenario = (name: string) => ({ name, steps: [], expect: [{ type: "not_ended" }] });
  const countAll = async () => {
    const text =
      "select (select count(*)::int from agents) as agents, (select count(*)::int from scenarios) as scenarios";
    const [counts] = await run<{ agents: number; scenarios: number }>(database.db, text);
    return counts ?? { agents: 0, scenarios: 0 };
  };

  it("creates all of it once per Idempotency-Key", async () => {
    const before = await countAll();
    const body = { name: "Tried", scenarios: [scenario("One"), scenario("Two")] };
    const request = { body, headers: { "idempotency-key": "with-scenarios" } };
    const first = await ours.send("POST", "/agents", request);
    expect((await ours.send("POST", "/agents", request)).body).toEqual(first.body);
    expect(await countAll()).toEqual({ agents: before.agents + 1, scenarios: before.scenarios + 2 });
  });

  it("creates nothing when one of them is wrong, and says which", async () => {
    const before = await countAll();
    const wrong = { ...scenario("Two"), expect: [] };
    const reply = await ours.send("POST", "/agents", { body: { name: "A", scenarios: [scenario("One"), wrong] } });
    expect([reply.status, reply.body.error?.param]).toEqual([422, "scenarios[1].expect"]);
    expect(await countAll()).toEqual(before);
  });

  it("creates nothing when the service fails midway", async () => {
    const before = await countAll();
    const body = { name: "A", scenarios: [scenario("One"), scenario("Breaks")] };
    expect((await ours.send("POST", "/agents", { body })).status).toBe(500);
    expect(await countAll()).toEqual(before);
  });
});

describe("listing agents", () => {
  it("walks through all of them, newest first, each once, without the deleted ones", async () => {
    const client = await api.addAccount("Lister");
    const made: Agent[] = [];
    for (let count = 0; count < 7; count += 1) made.push(await create(client, { name: `Agent ${count}` }));
    await client.send("DELETE", `/agents/${made[3]?.id}`);
    // Two with the same time are distinguished by their ids.
    const [first, second] = made.map(({ id }) => id);
    await database.db
      .updateTable("agents")
      .set({ created_at: "2026-01-01T00:00:00Z" })
      .where("id", "in", [first ?? "", second ?? ""])
      .execute();
    const seen = await walkPages(client, "/agents", 2, AgentSummary);
    const oldest = [first, second].sort().reverse();
    expect(seen.map(({ id }) => id)).toEqual([made[6]?.id, made[5]?.id, made[4]?.id, made[2]?.id, ...oldest]);
  });

  it("shows an account nothing of another", async () => {
    const client = await api.addAccount("Alone");
    expect((await client.send("GET", "/agents")).body).toEqual({ success: true, data: [], nextCursor: null });
  });

  it("refuses a cursor that was altered or comes from another account's list", async () => {
    const client = await api.addAccount("Cursor");
    for (let count = 0; count < 2; count += 1) await create(client);
    const { nextCursor } = (await client.send("GET", "/agents?limit=1")).readPage(AgentSummary);
    for (const reply of [
      await client.send("GET", `/agents?cursor=${nextCursor?.replace(/^./, (c) => (c === "A" ? "B" : "A"))}`),
      await ours.send("GET", `/agents?cursor=${nextCursor}`),
    ]) {
      expect(reply).toMatchObject({ status: 422, body: { error: { code: "validation_failed", param: "cursor" } } });
    }
  });
});

describe("changing a draft", () => {
  it.each(["1", '"1"', 'W/"1"'])("takes the revision as %s and counts it up", async (ifMatch) => {
    const agent = await create(ours, { description: "kept" });
    const request = { body: { name: "New name", engine: "local" }, headers: { "if-match": ifMatch } };
    const changed = (await ours.send("PATCH", `/agents/${agent.id}`, request)).read(Agent);
    expect(changed).toMatchObject({ name: "New name", engine: "local", description: "kept", revision: 2 });
    expect((await ours.send("GET", `/agents/${agent.id}`)).read(Agent)).toEqual(changed);
  });

  it("removes the engine when it is set to null", async () => {
    const agent = await create(ours, { engine: "local" });
    const reply = await ours.send("PATCH", `/agents/${agent.id}`, {
      body: { engine: null },
      headers: { "if-match": "1" },
    });
    expect(reply.read(Agent).engine).toBeNull();
  });

  it.each([undefined, "*", '"2"', "0", "abc"])("refuses If-Match %s and says the current revision", async (ifMatch) => {
    const agent = await create(ours);
    const headers = ifMatch === undefined ? {} : { "if-match": ifMatch };
    const reply = await ours.send("PATCH", `/agents/${agent.id}`, { body: { name: "Other" }, headers });
    expect(reply).toMatchObject({ status: 412, body: { error: { code: "draft_conflict" } } });
    expect(reply.body.error?.message).toMatch(/revision 1|"1"/);
    expect((await ours.send("GET", `/agents/${agent.id}`)).read(Agent)).toEqual(agent);
  });

  it("names the author of the last change to a later client, and no one for an unchanged draft", async () => {
    const email = "ada@example.com";
    const ada = { id: makeId("member"), account_id: ours.accountId, email, role: "owner" } as const;
    await database.db.insertInto("members").values(ada).execute();
    const agent = await create(ours);
    const change = (name: string) =>
      ours.send("PATCH", `/agents/${agent.id}`, { body: { name }, headers: { "if-match": "7" } });
    expect((await change("Early")).body.error?.details).toBeUndefined();
    await ours.send("PATCH", `/agents/${agent.id}`, { body: { name: "First" }, headers: { "if-match": "1" } });
    expect((await change("Late")).body.error?.details).toEqual([
      {
        param: "If-Match",
        code: "changed_by_you",
        message: "You made the last change yourself, in another window or program.",
      },
    ]);
    await database.db.updateTable("agents").set({ updated_by: ada.id }).where("id", "=", agent.id).execute();
    expect((await change("Late")).body.error?.details).toEqual([
      { param: "If-Match", code: "changed_by", message: `The last change was made by ${email}.` },
    ]);
  });

  it("lets one of many concurrent changes win and rejects the others", async () => {
    const agent = await create(ours);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        ours.send("PATCH", `/agents/${agent.id}`, { body: { name: `Racer ${index}` }, headers: { "if-match": "1" } }),
      ),
    );
    const winners = replies.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 412)).toHaveLength(9);
    expect((await ours.send("GET", `/agents/${agent.id}`)).read(Agent)).toEqual(winners[0]?.read(Agent));
  });

  it("refuses an unknown engine, and a change of nothing", async () => {
    const agent = await create(ours);
    const headers = { "if-match": "1" };
    const unknown = await ours.send("PATCH", `/agents/${agent.id}`, { body: { engine: "warp" }, headers });
    expect(unknown).toMatchObject({ status: 422, body: { error: { code: "engine_unknown" } } });
    const nothing = await ours.send("PATCH", `/agents/${agent.id}`, { body: {}, headers });
    expect(nothing).toMatchObject({ status: 422, body: { error: { code: "validation_failed" } } });
  });
});

describe("an unknown agent", () => {
  it("is the same, on every route, whether it never was, was deleted, or belongs to another account", async () => {
    const deleted = await create(ours);
    expect(await ours.send("DELETE", `/agents/${deleted.id}`)).toMatchObject({ status: 200, body: { data: {} } });
    const foreign = await create(theirs);
    for (const id of ["agt_unknown", deleted.id, foreign.id]) {
      const body = { name: "Mine now" };
      const replies = await Promise.all([
        ours.send("GET", `/agents/${id}`),
        ours.send("PATCH", `/agents/${id}`, { body, headers: { "if-match": "1" } }),
        ours.send("PATCH", `/agents/${id}`, { body }),
        ours.send("DELETE", `/agents/${id}`),
        ours.send("POST", `/agents/${id}/publish`),
        ours.send("GET", `/agents/${id}/versions`),
        ours.send("GET", `/agents/${id}/versions/1`),
        ours.send("POST", `/agents/${id}/rollback`, { body: { version: 1 } }),
      ]);
      for (const reply of replies) expect(reply).toMatchObject(NOT_FOUND);
      expect(new Set(replies.map(({ body: { error } }) => error?.message)).size).toBe(1);
    }
    expect((await theirs.send("GET", `/agents/${foreign.id}`)).read(Agent)).toEqual(foreign);
  });
});
