import { CallNotes, CallShare, CreatedCallShare, SharedCall } from "@parley/contract/call-notes";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { z } from "zod";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi } from "../../platform/http/testing/open-test-api.ts";
import { retentionRoutes } from "../retention/routes.ts";
import { openFreeSearch } from "../search/call-search.ts";
import { callNoteRoutes } from "./routes.ts";

let database: TestDatabase;
let api: TestApi;
let nowMs = Date.parse("2026-06-15T10:00:00Z");
beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  const { db } = database;
  const secrets = deriveSecrets("a secret that is only used in tests");
  api = openTestApi(db, () => [
    ...callNoteRoutes({ db, secrets, publicUrl: () => "https://parley.example", nowMs: () => nowMs }),
    ...retentionRoutes({ db, parts: [] }),
  ]);
});
afterAll(async () => {
  await api.close();
  await database.close();
});

async function open(isEnded = true) {
  const client = await api.addAccount("Ours");
  const [agentId, callId] = [makeId("agent"), makeId("call")];
  await run(
    database.db,
    "insert into agents (id, account_id, name, language, flow) values ($1, $2, 'Reminder', 'en-US', '{}')",
    [agentId, client.accountId],
  );
  await run(
    database.db,
    "insert into agent_versions (id, agent_id, version, language, flow) values ($1, $2, 1, 'en-US', '{}')",
    [makeId("agentVersion"), agentId],
  );
  await run(
    database.db,
    `insert into calls (id, account_id, mode, phone_number, agent_id, agent_version, engine, max_duration_seconds,
       ring_timeout_seconds, metadata) values ($1, $2, 'test', '+15550104711', $3, 1, 'local', 600, 30, '{"order": "secret"}')`,
    [callId, client.accountId, agentId],
  );
  if (isEnded) {
    await run(
      database.db,
      "update calls set state = 'ended', status = 'failed', end_reason = 'busy', ended_at = created_at where id = $1",
      [callId],
    );
  }
  const find = async (text: string) => (await openFreeSearch(database.db, client.accountId, "test", text)).few(10);
  return { client, callId, find };
}

test("tags and the note are changed one by one, and the call is found by them", async () => {
  const { client, callId, find } = await open();
  const change = async (body: object) =>
    (await client.send("PATCH", `/calls/${callId}/notes`, { body })).read(CallNotes);
  expect((await client.send("GET", `/calls/${callId}/notes`)).read(CallNotes)).toEqual({
    tags: [],
    note: "",
    changedAt: null,
  });
  await change({ tags: ["VIP", "follow up"] });
  expect(await change({ note: "Wants a refund." })).toMatchObject({
    tags: ["VIP", "follow up"],
    note: "Wants a refund.",
  });
  expect(await find("refund")).toEqual([callId]);
  expect(await find("vip")).toEqual([callId]);
  await change({ note: "" });
  expect(await find("refund")).toEqual([]);
});

test.each([
  [{ tags: ["a", "A"] }, "tags"],
  [{ tags: ["x".repeat(41)] }, "tags[0]"],
  [{ note: "x".repeat(5001) }, "note"],
])("%j is refused and the field is named", async (body, param) => {
  const { client, callId } = await open();
  expect(await client.send("PATCH", `/calls/${callId}/notes`, { body })).toMatchObject({
    status: 422,
    body: { error: { param } },
  });
});

const follow = (client: Awaited<ReturnType<typeof open>>["client"], url: string) =>
  client.send("GET", `/shared-call?${new URL(url).searchParams}`);

test("a link shows the call to anyone, without its number, metadata and cost, until it expires", async () => {
  const { client, callId } = await open();
  const share = (await client.send("POST", `/calls/${callId}/shares`, { body: { days: 2 } })).read(CreatedCallShare);
  expect(share.url).toMatch(/^https:\/\/parley\.example\/shared-call\?token=lt_/);
  const seen = (await follow(client, share.url)).read(SharedCall);
  expect(seen).toMatchObject({
    phoneNumber: "•••• 4711",
    agentName: "Reminder",
    endReason: "busy",
    recordingUrl: null,
  });
  expect(JSON.stringify(seen)).not.toContain("secret");
  nowMs += 2 * 86_400_000;
  expect((await follow(client, share.url)).status).toBe(404);
  expect((await client.send("GET", `/calls/${callId}/shares`)).read(z.array(CallShare))).toEqual([]);
});

test("a revoked link and a link to an erased call open nothing", async () => {
  const { client, callId, find } = await open();
  const make = async () => (await client.send("POST", `/calls/${callId}/shares`)).read(CreatedCallShare);
  const [revoked, erased] = [await make(), await make()];
  expect((await client.send("DELETE", `/calls/${callId}/shares/${revoked.id}`)).status).toBe(200);
  expect((await client.send("DELETE", `/calls/${callId}/shares/${revoked.id}`)).status).toBe(404);
  expect((await follow(client, revoked.url)).status).toBe(404);
  await client.send("PATCH", `/calls/${callId}/notes`, { body: { note: "Private." } });
  await client.send("DELETE", `/calls/${callId}/data`);
  expect((await follow(client, erased.url)).status).toBe(404);
  expect((await client.send("GET", `/calls/${callId}/notes`)).read(CallNotes).note).toBe("");
  expect(await find("private")).toEqual([]);
  expect((await client.send("PATCH", `/calls/${callId}/notes`, { body: { note: "Again." } })).status).toBe(409);
});

test("a call in progress cannot be shared, and calls of others have neither notes nor links", async () => {
  const [ours, theirs] = [await open(false), await open()];
  expect((await ours.client.send("POST", `/calls/${ours.callId}/shares`)).status).toBe(409);
  for (const path of ["notes", "shares"])
    expect((await ours.client.send("GET", `/calls/${theirs.callId}/${path}`)).status).toBe(404);
});

test("what was written about a call goes with the call", async () => {
  const { client, callId, find } = await open();
  await client.send("PATCH", `/calls/${callId}/notes`, { body: { note: "Refund." } });
  const { url } = (await client.send("POST", `/calls/${callId}/shares`)).read(CreatedCallShare);
  await run(database.db, "select remove_calls(array[$1])", [callId]);
  expect(await find("refund")).toEqual([]);
  expect((await follow(client, url)).status).toBe(404);
  const left = await run(database.db, "select 1 from call_notes where call_id = $1", [callId]);
  expect(left).toEqual([]);
});
