import { makeId } from "@parley/contract/ids";
import type { Mode } from "@parley/contract/shared-fields";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { createCursors } from "../../platform/http/cursor.ts";
import { countCalls, listCalls } from "../list-calls.ts";
import { listLiveCalls } from "../routes.ts";
import { commitTalking } from "../runs/commits.ts";
import { registerWorker } from "../runs/lease/lease-store.ts";
import { commitConversation } from "../runs/talking/transcript.ts";
import { type Scene, setScene } from "../runs/testing/call-scene.ts";
import { claimOwn } from "../runs/testing/claim-own.ts";
import { end, writeAhead } from "../runs/testing/simulated-steps.ts";
import { TranscriptDraft } from "../transcripts/transcript-draft.ts";
import { findMatches } from "./find-matches.ts";

let t: TestDatabase;
const worker = makeId("worker");
const cursors = createCursors(deriveSecrets("a secret that is only used in tests").sign);

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
});
afterAll(() => t.close());

/** Not dialed while the tests run. */
const LATER = { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() };

/** A call in which the callee said this; it ends after `lastsMs`, or not at all. */
async function talk(scene: Scene, text: string, lastsMs: number | null, fields: Record<string, unknown> = {}) {
  const id = await scene.place("test", fields);
  const call = await claimOwn(t.db, worker, id);
  await writeAhead(t.db, call);
  await commitTalking(t.db, call, 0);
  const draft = new TranscriptDraft();
  draft.note({ type: "callee_said", turnId: 0, text, startMs: 700, endMs: 1600, words: [] });
  await commitConversation(t.db, call, draft.take());
  if (lastsMs !== null) await end(t.db, call, { reason: "callee_hangup", by: "callee", isOrderly: true }, lastsMs);
  return id;
}

const list = (scene: Scene, query: object, mode: Mode = "test") =>
  listCalls(t.db, cursors, scene.accountId, mode, { limit: 20, ...query });
const find = async (scene: Scene, search: string) => (await list(scene, { search })).data.map(({ id }) => id);

describe("one search box finds a call", () => {
  let scene: Scene;
  let spoken: string;
  let written: string;
  beforeAll(async () => {
    scene = await setScene(t.db);
    spoken = await talk(scene, "I would like to cancel my appointment with Zoë.", 4_000, {
      phoneNumber: "+15552990002",
    });
    written = await scene.place("test", {
      ...LATER,
      phoneNumber: "+493055501000",
      metadata: { customer: "Müller & Söhne", order: "A-4711" },
    });
    const other = await setScene(t.db);
    await other.place("test", { ...LATER, metadata: { customer: "Müller" } });
    await scene.place("live", { ...LATER, metadata: { customer: "Müller" } });
  });

  test.each([
    ["part of a number, as people write it", "(555) 299", () => [spoken]],
    ["a whole number that is still being typed", "+1 555 299 000", () => [spoken]],
    ["a national number", "030 5550 1000", () => [written]],
    ["a word that was said", "appointment", () => [spoken]],
    ["the beginning of a word that was said", "appoi", () => [spoken]],
    ["a value of the metadata, without its accents", "muller", () => [written]],
    ["the beginning of a value", "soh", () => [written]],
    ["a code in the metadata", "A-4711", () => [written]],
    ["a key of the metadata", "customer", () => [written]],
    ["its id", () => spoken, () => [spoken]],
    ["the beginning of its id", () => spoken.slice(0, 24), () => [spoken]],
    ["words that must all occur", "cancel zoe", () => [spoken]],
    ["nothing that any call has", "pineapple", () => []],
  ])("by %s", async (_, text, expected) => {
    const typed = typeof text === "string" ? text : text();
    expect(await find(scene, typed)).toEqual(expected());
    const counted = await countCalls(t.db, scene.accountId, "test", { search: typed });
    expect(counted).toEqual({ count: expected().length, isExact: true });
  });

  test("and shows the words that were found where they stand", async () => {
    const matches = (text: string, ids = [spoken, written]) => findMatches(t.db, scene.accountId, "test", text, ids);
    expect(await matches("zoe canceled")).toEqual([
      {
        ...{ callId: spoken, place: "speech", name: "callee", startMs: 700 },
        parts: [
          { text: "I would like to ", isFound: false },
          { text: "cancel", isFound: true },
          { text: " my appointment with ", isFound: false },
          { text: "Zoë", isFound: true },
          { text: ".", isFound: false },
        ],
      },
    ]);
    expect(await matches("mull")).toMatchObject([
      { callId: written, place: "metadata", name: "customer", parts: [{ text: "Müller", isFound: true }, {}] },
    ]);
  });

  test("and shows nothing of the calls of others", async () => {
    const stranger = await setScene(t.db);
    expect(await findMatches(t.db, stranger.accountId, "test", "muller", [written])).toEqual([]);
    expect(await findMatches(t.db, scene.accountId, "live", "muller", [written])).toEqual([]);
  });
});

describe("the order of the list", () => {
  test("is by duration or by time, in both directions and over pages", async () => {
    const scene = await setScene(t.db);
    const [short, long, middle] = [
      await talk(scene, "One.", 2_000),
      await talk(scene, "Two.", 9_000),
      await talk(scene, "Three.", 5_000),
    ];
    const unanswered = await scene.place("test", LATER);
    const order = async (sort: string, limit = 20) => {
      const ids: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await list(scene, { sort, limit, ...(cursor ? { cursor } : {}) });
        ids.push(...page.data.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor);
      return ids;
    };
    expect(await order("-durationSeconds", 2)).toEqual([long, middle, short]);
    expect(await order("durationSeconds", 1)).toEqual([short, middle, long]);
    expect(await order("createdAt", 3)).toEqual([short, long, middle, unanswered]);
    expect(await order("-createdAt")).toEqual([unanswered, middle, long, short]);
    expect((await list(scene, { sort: "-durationSeconds", search: "three" })).data.map(({ id }) => id)).toEqual([
      middle,
    ]);
  });

  test("is refused for more calls than can be sorted, and the field is named", async () => {
    const scene = await setScene(t.db);
    const id = await talk(scene, "One.", 2_000);
    await run(t.db, "alter table calls disable trigger user");
    await run(
      t.db,
      `insert into calls select made.* from calls c, generate_series(1, 20001) n,
         lateral jsonb_populate_record(c, jsonb_build_object('id', 'call_x' || n)) made where c.id = $1`,
      [id],
    );
    await run(t.db, "alter table calls enable trigger user");
    await expect(list(scene, { sort: "-durationSeconds" })).rejects.toMatchObject({ param: "sort" });
    expect(await countCalls(t.db, scene.accountId, "test", {})).toEqual({ count: 10_000, isExact: false });
  });
});

test("the board of live calls says what each call waits for, and shows speech only to those who may read it", async () => {
  const scene = await setScene(t.db);
  const talking = await talk(scene, "Hello?", null);
  await talk(scene, "Over.", 1_000);
  const later = await scene.place("test", LATER);
  const queued = await scene.place("test");
  const board = async (mayRead: boolean) => await listLiveCalls(t.db, scene.accountId, "test", mayRead);
  const { calls, total } = await board(true);
  expect(calls.map(({ call, waitsFor }) => [call.id, waitsFor])).toEqual([
    [talking, "agent"],
    [queued, "dialing"],
    [later, "scheduled_time"],
  ]);
  expect(total).toBe(3);
  expect(calls[0]?.lastSpeech).toEqual({ role: "callee", text: "Hello?" });
  expect((await board(false)).calls[0]?.lastSpeech).toBeNull();
});
