import { makeId } from "@parley/contract/ids";
import { NodeNumbers, UnmatchedAnswers } from "@parley/contract/node-numbers";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient } from "../../platform/http/testing/open-test-api.ts";
import { nodeNumberRoutes } from "./routes.ts";

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(database.db, () => nodeNumberRoutes({ db: database.db }));
});
afterAll(async () => {
  await api.close();
  await database.close();
});

interface Held {
  readonly endedBy?: "callee" | "agent";
  readonly seconds?: number;
  readonly version?: number;
  readonly items: readonly object[];
}

const node = (nodeId: string, startMs: number) => ({ type: "node", nodeId, startMs });
const said = (turn: number, text: string, startMs: number) => ({ type: "speech", role: "callee", turn, text, startMs });
const decided = (turn: number, nodeId: string, taken: string, startMs: number) => ({
  type: "decision",
  turn,
  nodeId,
  taken,
  result: null,
  startMs,
});

async function openAgent(nodes: readonly object[] = []) {
  return addAgent(await api.addAccount("Ours"), nodes);
}

/** An agent with two versions of the same nodes, of which the second is published. */
async function addAgent(client: TestClient, nodes: readonly object[]) {
  const agentId = makeId("agent");
  await run(
    database.db,
    "insert into agents (id, account_id, name, language, flow) values ($1, $2, 'Agent', 'en-US', '{}')",
    [agentId, client.accountId],
  );
  for (const version of [1, 2]) {
    await run(
      database.db,
      "insert into agent_versions (id, agent_id, version, language, flow) values ($1, $2, $3, 'en-US', $4)",
      [makeId("agentVersion"), agentId, version, JSON.stringify({ nodes })],
    );
  }
  await run(database.db, "update agents set published_version = 2, published_revision = 1 where id = $1", [agentId]);
  async function hold({ endedBy = "agent", seconds = 20, version = 1, items }: Held): Promise<string> {
    const id = makeId("call");
    await inTransaction(database.db, async (tx) => {
      await run(
        tx,
        `insert into calls (id, account_id, mode, phone_number, agent_id, agent_version, engine, max_duration_seconds,
           ring_timeout_seconds, answered_at)
         values ($1, $2, 'test', '+15550100001', $3, $4, 'local', 600, 30, clock_timestamp())`,
        [id, client.accountId, agentId, version],
      );
      for (const [index, item] of items.entries()) {
        const { type, turn = null, startMs } = item as { type: string; turn?: number; startMs: number };
        await run(
          tx,
          "insert into transcript_items (call_id, ordinal, type, turn, start_ms, item) values ($1, $2, $3, $4, $5, $6)",
          [id, index + 1, type, turn, startMs, item],
        );
      }
      for (const state of ["claimed", "dialing", "ringing", "talking"]) {
        const status = state === "claimed" ? "initiated" : "in_progress";
        await run(tx, "update calls set state = $2, status = $3 where id = $1", [id, state, status]);
      }
      await run(
        tx,
        `update calls set state = 'ended', status = 'completed', end_reason = 'callee_hangup', ended_by = $2,
           ended_at = answered_at + make_interval(secs => $3), duration_seconds = $3 where id = $1`,
        [id, endedBy, seconds],
      );
    });
    return id;
  }
  return { client, agentId, hold };
}

describe("what calls did at each node", () => {
  it("counts visits, hang-ups, answers that were not understood, and the median time", async () => {
    const { client, agentId, hold } = await openAgent();
    await hold({ items: [node("hello", 0), node("ask", 2000), node("bye", 12_000)] });
    await hold({
      endedBy: "callee",
      items: [
        node("hello", 0),
        node("ask", 4000),
        said(1, "Blue.", 5000),
        decided(1, "ask", "not_understood", 5500),
        // Asked again.
        node("ask", 6000),
      ],
    });
    const reply = await client.send("GET", `/agents/${agentId}/node-numbers`);
    expect(reply.read(NodeNumbers)).toEqual({
      mode: "test",
      calls: 2,
      nodes: [
        { nodeId: "ask", visits: 2, calls: 2, hangUps: 1, notUnderstood: 1, medianMs: 13_000 },
        { nodeId: "hello", visits: 2, calls: 2, hangUps: 0, notUnderstood: 0, medianMs: 3000 },
        { nodeId: "bye", visits: 1, calls: 1, hangUps: 0, notUnderstood: 0, medianMs: 8000 },
      ],
    });
  });

  it("counts a sub-flow from its entry until the call leaves it, beside the nodes inside", async () => {
    const { client, agentId, hold } = await openAgent([
      { id: "check", type: "subflow" },
      { id: "check__not_inside", type: "say" },
    ]);
    const inside = [node("check", 1000), node("check__name", 1000), said(1, "What?", 2000)];
    await hold({
      items: [
        ...[...inside, decided(1, "check__name", "not_understood", 2500), node("check__name", 3000)],
        // Left, and entered again at once.
        ...[node("check__date", 4000), node("check", 5000), node("check__name", 5000), node("check__not_inside", 7000)],
      ],
    });
    await hold({ endedBy: "callee", seconds: 9, items: inside });
    const { nodes } = (await client.send("GET", `/agents/${agentId}/node-numbers`)).read(NodeNumbers);
    const row = (nodeId: string) => nodes.find((each) => each.nodeId === nodeId);
    expect(row("check")).toEqual({
      ...{ nodeId: "check", visits: 3, calls: 2, hangUps: 1, notUnderstood: 1, medianMs: 4000 },
    });
    expect(row("check__name")).toMatchObject({ visits: 3, calls: 2, hangUps: 1, notUnderstood: 1, medianMs: 3000 });
    expect(row("check__date")).toMatchObject({ visits: 1, hangUps: 0, medianMs: 1000 });
    expect(row("check__not_inside")).toMatchObject({ visits: 1, hangUps: 0, medianMs: 13_000 });
  });

  it("counts the calls of one version if asked, and none of another account", async () => {
    const { client, agentId, hold } = await openAgent();
    await hold({ version: 1, items: [node("hello", 0)] });
    await hold({ version: 2, items: [node("welcome", 0)] });
    const reply = await client.send("GET", `/agents/${agentId}/node-numbers?version=2`);
    expect(reply.read(NodeNumbers)).toMatchObject({ calls: 1, nodes: [{ nodeId: "welcome" }] });
    const stranger = await api.addAccount("Theirs");
    const refused = await stranger.send("GET", `/agents/${agentId}/node-numbers`);
    expect(refused.status).toBe(404);
  });
});

describe("an agent that others use as a sub-flow", () => {
  /** A part, an agent that uses it twice, one that uses it inside another, and one that does not. */
  async function openUsers() {
    const part = await openAgent([{ id: "name", type: "ask" }]);
    const usePart = (id: string) => ({ id, type: "subflow", agentId: part.agentId, version: 1 });
    const direct = await addAgent(part.client, [{ id: "hello", type: "say" }, usePart("mine"), usePart("theirs")]);
    const between = await addAgent(part.client, [usePart("inner")]);
    const deep = await addAgent(part.client, [{ id: "mid", type: "subflow", agentId: between.agentId, version: 2 }]);
    const other = await addAgent(part.client, [{ id: "name", type: "ask" }]);
    return { part, direct, deep, other };
  }

  it("has the numbers of its nodes in the calls of all of them, if asked", async () => {
    const { part, direct, deep, other } = await openUsers();
    await part.hold({ seconds: 20, items: [node("name", 0)] });
    await direct.hold({
      items: [
        ...[node("hello", 0), node("mine", 1000), node("mine__name", 1000), said(1, "Eh?", 1500)],
        ...[decided(1, "mine__name", "not_understood", 1600), node("mine__name", 2000)],
        ...[node("theirs", 5000), node("theirs__name", 5000), node("hello", 7000)],
      ],
    });
    await deep.hold({ endedBy: "callee", seconds: 9, items: [node("mid", 0), node("mid__inner__name", 3000)] });
    await other.hold({ items: [node("name", 0)] });
    const numbersOf = async (query: string) =>
      (await part.client.send("GET", `/agents/${part.agentId}/node-numbers${query}`)).read(NodeNumbers);
    expect(await numbersOf("?calls=all")).toEqual({
      mode: "test",
      calls: 3,
      nodes: [{ nodeId: "name", visits: 4, calls: 3, hangUps: 1, notUnderstood: 1, medianMs: 5000 }],
    });
    expect(await numbersOf("?calls=all&version=2")).toMatchObject({ calls: 0, nodes: [] });
    expect(await numbersOf("")).toMatchObject({ calls: 1, nodes: [{ nodeId: "name", visits: 1, medianMs: 20_000 }] });
  });

  it("lists what was not understood at its questions in all of them, if asked", async () => {
    const { part, direct, deep, other } = await openUsers();
    const unclear = (nodeId: string, text: string) => [said(1, text, 1), decided(1, nodeId, "not_understood", 2)];
    await part.hold({ items: unclear("name", "Here.") });
    await direct.hold({ items: unclear("theirs__name", "Directly.") });
    await deep.hold({ items: unclear("mid__inner__name", "Deep down.") });
    await other.hold({ items: unclear("name", "Elsewhere.") });
    const answersOf = async (query: string) => {
      const reply = await part.client.send("GET", `/agents/${part.agentId}/nodes/name/unmatched-answers${query}`);
      return reply.read(UnmatchedAnswers).answers.map(({ text }) => text);
    };
    expect((await answersOf("?calls=all")).toSorted()).toEqual(["Deep down.", "Directly.", "Here."]);
    expect(await answersOf("")).toEqual(["Here."]);
  });
});

describe("what was not understood at a question", () => {
  it("lists what callees said there, most frequent first, in the better transcription", async () => {
    const { client, agentId, hold } = await openAgent();
    const unclear = (...texts: string[]) => [
      node("ask", 0),
      ...texts.flatMap((text, index) => [
        said(index + 1, text, index * 1000),
        decided(index + 1, "ask", "not_understood", index * 1000 + 500),
      ]),
      said(9, "Elsewhere.", 9000),
      decided(9, "other", "not_understood", 9500),
      said(10, "Yes.", 9600),
      decided(10, "ask", "answer", 9700),
    ];
    await hold({ items: unclear("Rather not.", "The blew one.") });
    const last = await hold({ items: unclear("rather not") });
    const first = await hold({ items: [node("ask", 0), said(1, "Hm", 1), decided(1, "ask", "not_understood", 2)] });
    await run(database.db, "insert into transcript_revisions (call_id, ordinal, text) values ($1, 2, 'Tomorrow')", [
      first,
    ]);
    const reply = await client.send("GET", `/agents/${agentId}/nodes/ask/unmatched-answers`);
    const { answers } = reply.read(UnmatchedAnswers);
    expect(answers.map(({ text, times }) => [text, times])).toEqual([
      ["rather not", 2],
      ["Tomorrow", 1],
      ["The blew one.", 1],
    ]);
    expect(answers[0]?.callId).toBe(last);
  });
});
