import { Transcript } from "@parley/contract/transcripts";
import { run } from "@parley/server/platform/database/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { holdCall } from "./held-calls.ts";

const SENTENCES = [
  "My order never arrived and nobody has answered the three letters I wrote to you about it.",
  "Please send the invoice to my accountant, because the address on the last one was wrong.",
];
/** Longer than a pass takes at the lowest priority on a busy machine. */
const PASS_MS_MAX = 240_000;

/** What the live recognizer is made to have heard first. What it really heard may be right in every word. */
const MISHEARD = "Mile odor nether a rifled";

const ASK = { type: "ask", text: "Go on.", answer: "free_text", exits: [], retries: { max: 1 } };
const FLOW = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "ask1" },
    ...SENTENCES.map((_, index) => {
      const next = index + 1 < SENTENCES.length ? `ask${index + 2}` : "bye";
      return { id: `ask${index + 1}`, ...ASK, saveAs: `said${index + 1}`, next, otherwise: next };
    }),
    { id: "bye", type: "end", text: "Thank you. Goodbye." },
  ],
};

let world: ApiWorld;
let url: string;
let key: string;
let callId: string;

const readTranscript = async () =>
  Transcript.parse((await ask(url, `/api/v1/calls/${callId}/transcript`, { key })).body.data);
const startListener = () => world.start({ PARLEY_ROLES: "api,jobs", PARLEY_TRANSCRIPT_SECOND_PASS: "base" });

beforeAll(async () => {
  world = await openApiWorld();
  const service = await world.start({
    PARLEY_ROLES: "api,calls",
    PARLEY_CONVERSATION_THREADS: "1",
    PARLEY_SPEECH_MODEL: "tiny",
  });
  url = service.url;
  ({ key } = await createKey(url, (await claimFirst(service)).cookie));
  const made = await ask(url, "/api/v1/agents", { key, body: { name: "Listens", language: "en-US", flow: FLOW } });
  const agentId: string = made.body.data.id;
  const published = await ask(url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(key) });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  const script = SENTENCES.flatMap((say) => [{ waitMs: 3_500 }, { say }]);
  const held = await holdCall({ url, key, agentId }, "+15550100001", {
    simulation: { answerAfterMs: 0, script: [...script, { waitMs: 4_000 }, { hangUp: true }] },
  });
  callId = held.call.id;
  expect(held.call.recording).toMatchObject({ status: "ready" });
}, 400_000);
afterAll(() => world?.close());

/** Returns the transcript as it was recognized live. */
async function mishearFirstLine(): Promise<Transcript> {
  const live = await readTranscript();
  await run(
    world.db,
    `update transcript_items set item = jsonb_set(item, '{text}', to_jsonb($2::text))
     where (call_id, ordinal) = (select call_id, ordinal from transcript_items
       where call_id = $1 and type = 'speech' and item->>'role' = 'callee' order by start_ms, ordinal limit 1)`,
    [callId, MISHEARD],
  );
  return live;
}

const calleeLines = ({ items }: Transcript) =>
  items.filter((item) => item.type === "speech").filter(({ role }) => role === "callee");

/** How many words must be inserted, removed or changed to turn one text into the other. */
function wordErrors(said: string, heard: string): number {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  const others = wordsOf(heard);
  let row = Array.from({ length: others.length + 1 }, (_, index) => index);
  for (const [index, word] of wordsOf(said).entries()) {
    const next = [index + 1];
    for (const [at, other] of others.entries()) {
      const changed = (row[at] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

test("after the call a stronger model corrects what was misheard, also when the process that listens is killed, and nothing is lost", async () => {
  const live = await mishearFirstLine();
  const before = await readTranscript();
  expect(before.secondPass).toBeNull();
  expect(calleeLines(before)[0]?.text).toBe(MISHEARD);
  const passes = () =>
    run<{ status: string }>(world.db, "select status, attempts from transcript_passes where call_id = $1", [callId]);

  const doomed = await startListener();
  await until(passes, ([pass]) => pass?.status === "running", PASS_MS_MAX);
  await doomed.end("SIGKILL");
  expect(await passes()).toEqual([{ status: "running", attempts: 1 }]);
  expect((await readTranscript()).items).toEqual(before.items);
  // The lease of the dead process expires.
  await run(world.db, "update transcript_passes set lease_until = now() where call_id = $1", [callId]);

  const heir = await startListener();
  const after = await until(readTranscript, ({ secondPass }) => secondPass?.status === "done", PASS_MS_MAX);
  expect(after.secondPass).toMatchObject({ status: "done", model: "base", reason: null });
  expect(await passes()).toEqual([{ status: "done", attempts: 2 }]);

  const withoutRevision = after.items.map((item) => (item.type === "speech" ? { ...item, revisedText: null } : item));
  expect(withoutRevision).toEqual(before.items);
  const callee = calleeLines(after);
  expect(callee[0]?.revisedText).toBeTruthy();
  const said = SENTENCES.join(" ");
  const words = said.split(" ").length;
  const heard = {
    live: calleeLines(live)
      .map(({ text }) => text)
      .join(" "),
    revised: callee.map(({ text, revisedText }) => revisedText ?? text).join(" "),
  };
  const errors = { live: wordErrors(said, heard.live), revised: wordErrors(said, heard.revised) };
  console.info(`word errors of ${words}: live ${errors.live}, second pass ${errors.revised}`);
  // On so few words the weaker model may be lucky.
  expect(errors.revised, JSON.stringify(heard)).toBeLessThanOrEqual(Math.max(errors.live, words / 10));

  const text = await ask(url, `/api/v1/calls/${callId}/transcript?format=text`, { key });
  for (const { revisedText } of callee) if (revisedText) expect(text.body).toContain(revisedText);
  await heir.end();
}, 600_000);
