import { makeId } from "@parley/contract/ids";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { run } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { type CallFilter, countCalls, readCalls } from "./call-store.ts";
import { type Scene, setScene } from "./runs/testing/call-scene.ts";

const MANY = 2_000;

let t: TestDatabase;
let scene: Scene;
/** Both have one call that has ended and one that has not, with an agent, a key and an engine of their own. */
let rare: { readonly agentId: string; readonly apiKeyId: string; readonly engine: string; readonly ids: string[] };

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  scene = await setScene(t.db);
  const other = await setScene(t.db);
  const { keyId: apiKeyId } = other.actor("live");
  const id = await scene.place("live");
  const ids = ["call_00000000000000000000rare_a", "call_00000000000000000000rare_b"];
  const copies = (fields: string, count: number) => `insert into calls select made.* from calls c,
    generate_series(1, ${count}) n, lateral jsonb_populate_record(c, jsonb_build_object(${fields})) made where c.id = $1`;
  const ended = `'state', 'ended', 'status', 'completed', 'end_reason', 'callee_hangup', 'ended_at', c.created_at`;
  const others = `'agent_id', $2::text, 'api_key_id', $3::text, 'engine', 'rare'`;
  await run(t.db, "alter table calls disable trigger user");
  await run(
    t.db,
    copies(
      `'id', 'call_' || lpad(n::text, 26, '0'), 'created_at', c.created_at - n * interval '1 minute', ${ended}`,
      MANY,
    ),
    [id],
  );
  for (const [index, fields] of [`${ended}, ${others}`, others].entries())
    await run(t.db, copies(`'id', $4::text, 'created_at', c.created_at - interval '${index + 2} days', ${fields}`, 1), [
      id,
      other.agentId,
      apiKeyId,
      ids[index],
    ]);
  await run(t.db, "alter table calls enable trigger user");
  await run(t.db, "vacuum (analyze) calls");
  rare = { agentId: other.agentId, apiKeyId, engine: "rare", ids };
});
afterAll(() => t.close());

/** The list, and how PostgreSQL finds it. */
async function list(filter: CallFilter) {
  const query = vi.spyOn(pg.Client.prototype, "query");
  const rows = await readCalls(t.db, scene.accountId, "live", filter, null, 51);
  const [statement] = query.mock.calls.at(-1) as unknown as [{ readonly text: string; readonly values: unknown[] }];
  query.mockRestore();
  const plan = await run<{ "QUERY PLAN": string }>(t.db, `explain ${statement.text}`, statement.values);
  return { ids: rows.map(({ id }) => id), plan: plan.map((line) => line["QUERY PLAN"]).join("\n") };
}

test.each([
  ["agent", () => ({ agentId: rare.agentId }), "calls_ended_by_agent"],
  ["key", () => ({ apiKeyId: rare.apiKeyId }), "calls_ended_by_api_key"],
  ["engine", () => ({ engine: rare.engine }), "calls_ended_by_engine"],
])("the calls of a rare %s are found by indexes, ended and under way, newest first", async (_name, filter, index) => {
  const { ids, plan } = await list(filter());
  expect(ids).toEqual(rare.ids);
  expect(plan).toContain(index);
  expect(plan).toContain("calls_unfinished");
  expect(plan).not.toContain("Seq Scan");
  expect(await countCalls(t.db, scene.accountId, "live", filter(), 100, null)).toBe(2);
});

test("calls of a rare status are found by an index, whether it is final or not", async () => {
  expect(await list({ status: "failed" })).toMatchObject({
    ids: [],
    plan: expect.stringContaining("calls_ended_by_status"),
  });
  const initiated = await list({ status: "initiated" });
  expect(initiated.ids).toHaveLength(2);
  expect(initiated.ids).toContain(rare.ids[1]);
  expect(initiated.plan).toContain("calls_unfinished");
});

test("pages of a frequent value are those of the whole list, and further filters apply to both kinds of calls", async () => {
  const all = await list({});
  expect((await list({ agentId: scene.agentId })).ids).toEqual(all.ids);
  expect((await list({ engine: "rare", agentId: rare.agentId, status: "initiated" })).ids).toEqual([rare.ids[1]]);
  expect((await list({ engine: "rare", phase: "ended" })).ids).toEqual([rare.ids[0]]);
  expect((await list({ engine: "rare", endReason: "callee_hangup" })).ids).toEqual([rare.ids[0]]);
  expect((await list({ engine: "rare", agentVersion: 1 })).ids).toEqual(rare.ids);
});

test("the calls of a member are those that they placed without a key", async () => {
  const memberId = makeId("member");
  await run(
    t.db,
    "insert into members (id, account_id, email, password_hash, role) values ($1, $2, 'ada@example.com', 'none', 'member')",
    [memberId, scene.accountId],
  );
  const [ended] = rare.ids;
  await run(t.db, "update calls set member_id = $1, api_key_id = null where id = $2", [memberId, ended]);
  const { ids, plan } = await list({ memberId });
  expect(ids).toEqual([ended]);
  expect(plan).not.toContain("Seq Scan");
  expect((await list({ memberId: makeId("member") })).ids).toEqual([]);
});
