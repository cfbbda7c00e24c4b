import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import type { Mode } from "@parley/contract/shared-fields";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { createCursors } from "../../platform/http/cursor.ts";
import { allCalls, listCalls } from "../list-calls.ts";
import { commitTalking } from "../runs/commits.ts";
import { registerWorker } from "../runs/lease/lease-store.ts";
import { commitConversation } from "../runs/talking/transcript.ts";
import { type Scene, setScene } from "../runs/testing/call-scene.ts";
import { claimOwn } from "../runs/testing/claim-own.ts";
import { end, writeAhead } from "../runs/testing/simulated-steps.ts";
import { findByWordsIn } from "../transcripts/search/search-store.ts";
import { openSearch } from "../transcripts/search/search-transcripts.ts";
import { TranscriptDraft } from "../transcripts/transcript-draft.ts";

let t: TestDatabase;
const worker = makeId("worker");
const cursors = createCursors(deriveSecrets("a secret that is only used in tests").sign);

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
});
afterAll(() => t.close());

/** A call in which these things were said, the first by the callee, the next by the agent, and so on. */
async function hold(scene: Scene, texts: readonly string[], mode: Mode = "test", unheard = ""): Promise<string> {
  const id = await scene.place(mode);
  const call = await claimOwn(t.db, worker, id);
  await writeAhead(t.db, call);
  await commitTalking(t.db, call, 0);
  const draft = new TranscriptDraft();
  for (const [turnId, text] of texts.entries()) {
    const said = { turnId, text, startMs: turnId * 1000, endMs: turnId * 1000 + 900, words: [] };
    if (turnId % 2 === 0) draft.note({ type: "callee_said", ...said });
    else
      draft.note({
        type: "agent_said",
        ...said,
        text: text + unheard,
        heardText: text,
        wasInterrupted: unheard !== "",
      });
  }
  await commitConversation(t.db, call, draft.take());
  await end(t.db, call, { reason: "callee_hangup", by: "callee", isOrderly: true }, 4_000);
  return id;
}

const list = (scene: Scene, q: string, more: object = {}, mode: Mode = "test") =>
  listCalls(t.db, cursors, scene.accountId, mode, { limit: 20, q, ...more });
const find = async (scene: Scene, q: string, mode: Mode = "test") =>
  (await list(scene, q, {}, mode)).data.map(({ id }) => id);

describe("a search in transcripts", () => {
  test("finds a call by words that either side spoke, in any order and form, newest first", async () => {
    const scene = await setScene(t.db);
    const first = await hold(scene, ["I want to cancel it.", "Your appointments are on Friday."]);
    const second = await hold(scene, ["Cancelling an appointment, please."]);
    await hold(scene, ["Good morning."]);
    expect(await find(scene, "appointment CANCELLED")).toEqual([second, first]);
    expect(await find(scene, "cancel friday")).toEqual([first]);
    expect(await find(scene, "appointment saturday")).toEqual([]);
  });

  test("finds names with and without accents, numbers, and the small words that dictionaries leave out", async () => {
    const scene = await setScene(t.db);
    const id = await hold(scene, ["My name is Zoë Müller-Ångström.", "Order 555-0100, not 12.50, at 10:30?"]);
    for (const q of [
      "zoe",
      "ZOË muller",
      "Ångstrom",
      "0100",
      "555 0100",
      "555-0100",
      "12.50",
      "10:30",
      "not",
      "is my",
      "at",
    ])
      expect([q, await find(scene, q)]).toEqual([q, [id]]);
    for (const q of ["55", "100", "010"]) expect([q, await find(scene, q)]).toEqual([q, []]);
  });

  test("matches quoted words as a phrase, and omits calls with an excluded word", async () => {
    const scene = await setScene(t.db);
    const one = await hold(scene, ["Please call me back tomorrow."]);
    const other = await hold(scene, ["Call back? Tell me why, the day after."]);
    expect(await find(scene, '"call me back"')).toEqual([one]);
    expect(await find(scene, '"me call back"')).toEqual([]);
    expect(await find(scene, "back -tomorrow")).toEqual([other]);
    expect(await find(scene, "back -the")).toEqual([one]);
  });

  test("knows the words that were heard and no others", async () => {
    const scene = await setScene(t.db);
    const id = await hold(scene, ["Hello?", "We are open"], "test", " until midnight");
    expect(await find(scene, "open")).toEqual([id]);
    expect(await find(scene, "midnight")).toEqual([]);
  });

  test("finds what was said in other scripts", async () => {
    const scene = await setScene(t.db);
    const id = await hold(scene, ["東京の天気は晴れです", "Привет, Ёлка", "สวัสดีครับ", "नमस्ते दुनिया", "γειά σου"]);
    for (const q of ["天気", "東京", "晴れ", "привет елка", "สวัสดี", "नमस्ते", "γεια"])
      expect([q, await find(scene, q)]).toEqual([q, [id]]);
    expect(await find(scene, "京東")).toEqual([]);
  });

  test("stays within the account and the mode, whatever is written into the search", async () => {
    const [scene, stranger] = [await setScene(t.db), await setScene(t.db)];
    const mine = await hold(scene, ["a word in common"]);
    const live = await hold(scene, ["a word in common"], "live");
    const theirs = await hold(stranger, ["a word in common"]);
    expect(await find(scene, "common")).toEqual([mine]);
    expect(await find(scene, "common", "live")).toEqual([live]);
    expect(await find(stranger, "common")).toEqual([theirs]);
    for (const q of [
      `${stranger.accountId}:test`,
      `' | '${stranger.accountId}:test`,
      "common') | ('word",
      "x or common",
    ])
      expect(await find(scene, q)).not.toContain(theirs);
  });

  test("continues from page to page, with other filters too, and ends", async () => {
    const scene = await setScene(t.db);
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift(await hold(scene, ["the same words"]));
    const first = await list(scene, "words", { limit: 2 });
    const second = await list(scene, "words", { limit: 2, cursor: first.nextCursor });
    const third = await list(scene, "words", { limit: 2, cursor: second.nextCursor });
    expect([first, second, third].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
    expect(third.nextCursor).toBeNull();
    expect((await list(scene, "words", { endReason: "busy" })).data).toEqual([]);
    await expect(list(scene, "other words", { cursor: first.nextCursor })).rejects.toThrow(AppError);
  });

  test("narrows an export just as a list", async () => {
    const scene = await setScene(t.db);
    const id = await hold(scene, ["to be exported"]);
    await hold(scene, ["to be left out"]);
    const exported = [];
    for await (const batch of allCalls(t.db, scene.accountId, "test", { q: "exported" })) exported.push(...batch);
    expect(exported.map((call) => call.id)).toEqual([id]);
  });

  test("is not disturbed by a call in which nothing was said, or by unusual content", async () => {
    const scene = await setScene(t.db);
    await hold(scene, []);
    await hold(scene, ["", "👍 … \u0000 ''' \\ \ud800"]);
    const naughty = [
      "Robert'); drop table calls;--",
      "'a' & !b | c:* <-> \\",
      "$(7*7) {{x}} %s %n",
      "x".repeat(5_000),
      "😀 word",
    ];
    const id = await hold(scene, naughty);
    for (const q of ["drop table", "robert calls", "b c", "word", "7"])
      expect([q, await find(scene, q)]).toEqual([q, [id]]);
    for (const q of ["' | '", "\\", ":*", "<->", "!x", "drop:*", "\u0000a", "\u0301\u0301 word"])
      await find(scene, q).catch((error: unknown) => expect(error).toBeInstanceOf(AppError));
  });

  test("bears a call of more different words than PostgreSQL can keep", async () => {
    const scene = await setScene(t.db);
    const letters = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => String.fromCodePoint(from + index)).join("");
    const numbers = Array.from({ length: 60_000 }, (_, index) => `w${index}`);
    const texts = [letters(0x4e00, 20_000), letters(0x20000, 40_000)];
    for (let at = 0; at < numbers.length; at += 2_500) texts.push(numbers.slice(at, at + 2_500).join(" "));
    const id = await hold(scene, texts);
    expect(await find(scene, "一")).toEqual([id]);
  });
});

describe("among very many calls", () => {
  const MANY = 6_000;
  let scene: Scene;

  /** Copies of one call, each with its own word, every hundredth with another, the oldest with a third. */
  beforeAll(async () => {
    scene = await setScene(t.db);
    const id = await hold(scene, ["hello there"]);
    await run(
      t.db,
      `insert into calls select made.* from calls c, generate_series(1, $2::int) n,
         lateral jsonb_populate_record(c, jsonb_build_object(
           'id', 'call_' || lpad(n::text, 26, '0'), 'created_at', c.created_at - n * interval '1 minute')) made
       where c.id = $1`,
      [id, MANY],
    );
    await run(
      t.db,
      `insert into transcript_words select 'call_' || lpad(n::text, 26, '0'), to_tsvector('simple', 'hello number' || n
         || case when n % 100 = 0 then ' hundredth' else '' end || case when n > $2 - 2500 then ' olden' else '' end)
         || array_to_tsvector(array[$1])
       from generate_series(1, $2::int) n`,
      [`${scene.accountId}:test`, MANY],
    );
    await run(t.db, "analyze transcript_words");
  });

  const numbersOf = (ids: readonly string[]) => ids.map((id) => Number(id.slice("call_".length)));

  test("a rare word is found by the index, and neither by reading all calls nor all words", async () => {
    const plan = await run<{ "QUERY PLAN": string }>(t.db, `explain ${findByWordsIn("transcript_words")}`, [
      `'${scene.accountId}:test' & 'number77'`,
      2_001,
    ]);
    expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain(
      "Bitmap Index Scan on transcript_words_by_word",
    );
    expect(numbersOf(await find(scene, "number5990"))).toEqual([5990]);
    expect(await find(scene, "neverspoken")).toEqual([]);
  });

  test("one that is neither rare nor common is found newest first over all pages", async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(scene, "hundredth", { limit: 7, cursor });
      seen.push(...numbersOf(page.data.map(({ id }) => id)));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: MANY / 100 }, (_, index) => (index + 1) * 100));
  });

  test("a word that occurs in more old calls than can be sorted is still found", async () => {
    const search = await openSearch(t.db, scene.accountId, "test", "olden");
    expect(await search.few(2_000)).toBeNull();
    expect(numbersOf(await find(scene, "olden"))).toEqual(
      Array.from({ length: 20 }, (_, index) => MANY - 2499 + index),
    );
  });
});
