import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { createCursors } from "../../platform/http/cursor.ts";
import { allCalls, listCalls } from "../list-calls.ts";
import { type Scene, setScene } from "../runs/testing/call-scene.ts";
import { FIND_BY_NUMBER } from "./search-store.ts";

let t: TestDatabase;
const cursors = createCursors(deriveSecrets("a secret that is only used in tests").sign);

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());

const list = (scene: Scene, phoneNumber: string, more: object = {}) =>
  listCalls(t.db, cursors, scene.accountId, "test", { limit: 20, phoneNumber, ...more });
const find = async (scene: Scene, phoneNumber: string, more: object = {}) =>
  (await list(scene, phoneNumber, more)).data.map((call) => call.phoneNumber);

describe("calls are found by a number", () => {
  const NUMBERS = ["+15550100020", "+15552990002", "+155501000201", "+493055501000"];
  let scene: Scene;
  beforeAll(async () => {
    scene = await setScene(t.db);
    for (const phoneNumber of NUMBERS) await scene.place("test", { phoneNumber });
    await (await setScene(t.db)).place("test", { phoneNumber: "+15550100020" });
    await scene.place("live", { phoneNumber: "+15550100020" });
  });

  test.each([
    ["the whole number, which is that number alone", "+15550100020", ["+15550100020"]],
    ["the whole number as people write it", "+1 (555) 010-0020", ["+15550100020"]],
    ["how it begins", "+1 555 2", ["+15552990002"]],
    ["a number without its country code, as people write it", "(555) 010-0020", ["+155501000201", "+15550100020"]],
    ["how it ends", "0100020", ["+155501000201", "+15550100020"]],
    ["what is in the middle", "555299", ["+15552990002"]],
    ["a number as it is dialed in its country", "030 5550 1000", ["+493055501000"]],
    ["a number as it is dialed from abroad", "00 49 30 5550 1000", ["+493055501000"]],
    ["digits that no number has", "777777", []],
  ])("by %s", async (_, typed, expected) => {
    expect(await find(scene, typed)).toEqual(expected);
  });

  test("together with other filters, and in an export", async () => {
    expect(await find(scene, "555", { status: "failed" })).toEqual([]);
    expect(await find(scene, "555", { phase: "queued" })).toHaveLength(4);
    const exported = [];
    for await (const batch of allCalls(t.db, scene.accountId, "test", { phoneNumber: "0100020" }))
      exported.push(...batch);
    expect(exported).toHaveLength(2);
  });
});

describe("among very many calls", () => {
  const MANY = 6_000;
  let scene: Scene;

  /** Calls to as many numbers, newest first, every hundredth of which ends in 77. */
  beforeAll(async () => {
    scene = await setScene(t.db);
    const id = await scene.place("test", { phoneNumber: "+15559999999" });
    await run(t.db, "alter table calls disable trigger user");
    await run(
      t.db,
      `insert into calls select made.* from calls c, generate_series(1, $2::int) n,
         lateral (select string_agg(md5((n * 100 + part)::text), '') as text from generate_series(1, 40) part) large,
         lateral jsonb_populate_record(c, jsonb_build_object(
           'id', 'call_' || lpad(n::text, 26, '0'), 'created_at', c.created_at - n * interval '1 minute',
           'metadata', jsonb_build_object('as large as in life', large.text),
           'phone_number', '+1555' || lpad((n * 100 + case when n % 100 = 0 then 77 else 0 end)::text, 8, '0'))) made
       where c.id = $1`,
      [id, MANY],
    );
    await run(t.db, "alter table calls enable trigger user");
    await run(t.db, "vacuum (analyze) calls");
  });

  test("a rare number is found in the index of numbers, without reading the calls", async () => {
    const plan = await run<{ "QUERY PLAN": string }>(t.db, `explain ${FIND_BY_NUMBER}`, [
      scene.accountId,
      "test",
      "%00290077%",
      2_001,
    ]);
    expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("Index Only Scan using calls_by_number");
    expect(await find(scene, "00290077")).toEqual(["+155500290077"]);
  });

  test("all are found over all pages, newest first", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(scene, "0077", { limit: 7, cursor });
      seen.push(...page.data.map(({ phoneNumber }) => phoneNumber));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    const all = Array.from({ length: MANY }, (_, index) => (index + 1) * 100 + ((index + 1) % 100 === 0 ? 77 : 0));
    const expected = all.map((n) => `+1555${String(n).padStart(8, "0")}`).filter((number) => number.includes("0077"));
    expect(expected.length).toBeGreaterThan(60);
    expect(seen).toEqual(expected);
  });

  test("a part that nearly all numbers contain returns a full page quickly", async () => {
    expect(await find(scene, "555")).toHaveLength(20);
  });
});
