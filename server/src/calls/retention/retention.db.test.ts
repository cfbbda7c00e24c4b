import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Mode } from "@parley/contract/shared-fields";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi } from "../../platform/http/testing/open-test-api.ts";
import { type CallRow, toCall } from "../call-record.ts";
import { recordCallEvent } from "../event-store.ts";
import { createStreamSlots } from "../live/stream-slots.ts";
import { createErasedFilesRemover } from "../recordings/erase-recordings.ts";
import { findPeaks, insertPeaks } from "../recordings/recording-state-store.ts";
import { createLocalRecordingStore, recordingPath } from "../recordings/recording-storage.ts";
import { recordingRoutes } from "../recordings/routes.ts";
import { setScene } from "../runs/testing/call-scene.ts";
import { transcriptRoutes } from "../transcripts/routes.ts";
import { indexTranscript } from "../transcripts/search/search-transcripts.ts";
import { expireRetained } from "./expire-retained.ts";
import { recordingPart, transcriptPart } from "./retained-parts.ts";
import { retentionRoutes } from "./routes.ts";

let t: TestDatabase;
let api: TestApi;
let folder: string;
const parts = [recordingPart, transcriptPart];
const DAY_MS = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  folder = await mkdtemp(join(tmpdir(), "parley-retention-"));
  api = openTestApi(t.db, () => [
    ...retentionRoutes({ db: t.db, parts }),
    ...recordingRoutes({
      db: t.db,
      stores: [createLocalRecordingStore(folder)],
      sign: deriveSecrets("a secret that is only used in tests").sign,
      publicUrl: () => "http://parley.test",
      nowMs: Date.now,
    }),
    ...transcriptRoutes({ db: t.db, changes: { follow: () => () => undefined }, streamSlots: createStreamSlots(10) }),
  ]);
});
afterAll(async () => {
  await api.close();
  await t.close();
  await rm(folder, { recursive: true });
});

const WORD = "marzipan";
const SECRET = `the code is ${WORD}`;

/** A call that was held, with all that can be kept of one. */
async function holdCall(mode: Mode = "test") {
  const scene = await setScene(t.db);
  const id = await scene.place(mode, { variables: { code: SECRET }, metadata: { order: "17" } });
  const row = await inTransaction(t.db, async (tx) => {
    const [ended] = await run<CallRow>(
      tx,
      `update calls set state = 'ended', status = 'completed', end_reason = 'agent_hangup', ended_by = 'agent',
         answered_at = now(), ended_at = now(), duration_seconds = 3, collected = $2, event_sequence = event_sequence + 1,
         recording = '{"status":"ready","durationMs":3000,"partial":false,"reason":null}'
       where id = $1 returning *`,
      [id, JSON.stringify({ code: SECRET })],
    );
    if (!ended) throw new Error("the call is gone");
    await recordCallEvent(tx, ended, "call.completed");
    await run(
      tx,
      `insert into transcript_items (call_id, ordinal, type, start_ms, item) values ($1, 1, 'note', 0, $2)`,
      [id, JSON.stringify({ type: "note", text: SECRET, startMs: 0 })],
    );
    await run(
      tx,
      `insert into idempotency_records (account_id, mode, method, path, idempotency_key, fingerprint, status, body)
       values ($1, $2, 'POST', '/api/v1/calls', 'once', '', 200, $3)`,
      [scene.accountId, mode, JSON.stringify({ success: true, data: toCall(ended) })],
    );
    const speech = { type: "speech", role: "callee", turn: 1, text: SECRET, heardText: SECRET, startMs: 0, endMs: 900 };
    await run(
      tx,
      "insert into transcript_items (call_id, ordinal, type, turn, start_ms, item) values ($1, 2, 'speech', 1, 0, $2)",
      [id, JSON.stringify({ ...speech, interrupted: false, words: [], timing: null })],
    );
    await indexTranscript(tx, id);
    await insertPeaks(tx, id, { samplesPerPeak: 160, callee: Uint8Array.of(1), agent: Uint8Array.of(2) });
    return ended;
  });
  const path = recordingPath(folder, row);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "what was said");
  const ask = (method: "GET" | "DELETE", of: string, accountId = scene.accountId) =>
    api.app.inject({
      method,
      url: `/api/v1/calls/${id}${of}`,
      headers: { authorization: `Bearer svc_${mode}_${accountId}` },
    });
  const read = async () => {
    const [now] = await run<CallRow>(t.db, "select * from calls where id = $1", [id]);
    if (!now) throw new Error("the call is gone");
    return now;
  };
  const keep = (recordings: number | null, transcripts: number | null) =>
    run(t.db, "update accounts set recording_retention_days = $2, transcript_retention_days = $3 where id = $1", [
      scene.accountId,
      recordings,
      transcripts,
    ]);
  return { id, path, ask, read, keep, accountId: scene.accountId, endedAtMs: row.ended_at?.getTime() ?? 0 };
}

const removeFiles = () => createErasedFilesRemover({ db: t.db, folder })();
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
const expireAt = (atMs: number) => expireRetained({ db: t.db, parts, nowMs: () => atMs });
const notesOf = async (accountId: string) =>
  (
    await run<{ action: string }>(t.db, "select action from audit_log where account_id = $1 order by id", [accountId])
  ).map(({ action }) => action);

/** Where in the database the text still occurs. */
async function placesOf(text: string): Promise<string[]> {
  const tables = await run<{ name: string }>(
    t.db,
    "select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition",
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await run(t.db, `select 1 from "${name}" x where to_jsonb(x)::text like '%' || $1 || '%'`, [text]);
      return rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat();
}

describe("erasing a call", () => {
  test("leaves nothing that was said or asked, and keeps the billing", async () => {
    const { id, path, ask, read, accountId } = await holdCall();
    expect(await placesOf(WORD)).toEqual(expect.arrayContaining(["calls", "transcript_items", "transcript_words"]));
    const reply = await ask("DELETE", "/data");
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      data: {
        id,
        phoneNumber: "+15550100001",
        status: "completed",
        durationSeconds: 3,
        metadata: { order: "17" },
        variables: {},
        collected: null,
        recording: { status: "erased", reason: expect.stringContaining("request") },
        transcript: { status: "erased" },
      },
    });
    expect(await placesOf(WORD)).toEqual([]);
    expect(await findPeaks(t.db, id)).toBeNull();
    await removeFiles();
    expect(await exists(path)).toBe(false);
    expect((await ask("GET", "/recording")).statusCode).toBe(404);
    expect((await ask("GET", "/recording/peaks")).statusCode).toBe(404);
    expect((await ask("GET", "/transcript")).json()).toMatchObject({ data: { status: "erased", items: [] } });
    expect(await notesOf(accountId)).toEqual(["call.data_erased"]);
    const events = await run<{ type: string }>(
      t.db,
      "select type from call_events where call_id = $1 order by sequence desc limit 1",
      [id],
    );
    expect(events).toEqual([{ type: "call.data_erased" }]);
    expect((await read()).data_erased_at).not.toBeNull();
  });

  test("twice is the same as once", async () => {
    const { ask, accountId } = await holdCall();
    const first = await ask("DELETE", "/data");
    const second = await ask("DELETE", "/data");
    expect(second.statusCode).toBe(200);
    expect(second.json()).toEqual(first.json());
    expect(await notesOf(accountId)).toEqual(["call.data_erased"]);
  });

  test("that is not over is refused", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("test");
    const reply = await api.app.inject({
      method: "DELETE",
      url: `/api/v1/calls/${id}/data`,
      headers: { authorization: `Bearer svc_test_${scene.accountId}` },
    });
    expect([reply.statusCode, reply.json()]).toMatchObject([409, { error: { code: "invalid_state" } }]);
  });

  test("of another account is not possible, and leaves it as it was", async () => {
    const { ask, read } = await holdCall();
    const stranger = await setScene(t.db);
    expect((await ask("DELETE", "/data", stranger.accountId)).json()).toMatchObject({
      error: { code: "call_not_found" },
    });
    expect((await read()).variables).toEqual({ code: SECRET });
  });

  test("while its recording is being closed keeps that from coming back", async () => {
    const { id, ask, read } = await holdCall();
    await run(t.db, `update calls set recording = recording || '{"status":"recording"}' where id = $1`, [id]);
    await ask("DELETE", "/data");
    const { commitRecordingOutcome } = await import("../runs/talking/recording.ts");
    const peaks = { samplesPerPeak: 160, callee: Uint8Array.of(1), agent: Uint8Array.of(2) };
    const outcome = { durationMs: 3_000, gaps: [], trouble: null, peaks };
    await commitRecordingOutcome(t.db, await read(), outcome, 3_000);
    expect((await read()).recording).toMatchObject({ status: "erased" });
    expect(await findPeaks(t.db, id)).toBeNull();
  });
});

describe("keeping calls for a number of days", () => {
  test("erases each part when its own days are over, not before, and only once", async () => {
    const { path, read, keep, accountId, endedAtMs, ask } = await holdCall();
    await keep(30, 90);
    await expireAt(endedAtMs + 30 * DAY_MS - 1_000);
    expect((await read()).recording).toMatchObject({ status: "ready" });
    expect(await expireAt(endedAtMs + 30 * DAY_MS + 1_000)).toBe(1);
    expect(await expireAt(endedAtMs + 30 * DAY_MS + 2_000)).toBe(0);
    await removeFiles();
    expect(await exists(path)).toBe(false);
    expect((await read()).recording).toMatchObject({ status: "erased", reason: expect.stringContaining("30 days") });
    expect((await ask("GET", "/transcript")).json()).toMatchObject({ data: { status: "ready", items: [{}, {}] } });
    expect(await expireAt(endedAtMs + 91 * DAY_MS)).toBe(1);
    expect((await ask("GET", "/transcript")).json()).toMatchObject({ data: { status: "erased", items: [] } });
    expect(toCall(await read())).toMatchObject({ collected: null, variables: { code: SECRET }, durationSeconds: 3 });
    expect(await notesOf(accountId)).toEqual(["recordings.expired", "transcripts.expired"]);
  });

  test("is for the accounts that want it: without days everything stays", async () => {
    const { path, read, endedAtMs } = await holdCall();
    await expireAt(endedAtMs + 3_650 * DAY_MS);
    await removeFiles();
    expect(await exists(path)).toBe(true);
    expect((await read()).recording).toMatchObject({ status: "ready" });
  });

  test("erases any number of calls in one run", async () => {
    const { accountId, keep, endedAtMs, id } = await holdCall();
    await keep(1, null);
    await run(
      t.db,
      `insert into calls select (jsonb_populate_record(c, jsonb_build_object('id', 'call_copy' || n))).*
       from calls c, generate_series(1, 120) n where c.id = $1`,
      [id],
    );
    expect(await expireAt(endedAtMs + 2 * DAY_MS)).toBe(121);
    const left = await run(t.db, "select 1 from calls where account_id = $1 and recording->>'status' <> 'erased'", [
      accountId,
    ]);
    expect(left).toEqual([]);
  });

  test("takes the file of a call that was erased while this machine was away", async () => {
    const { path, ask } = await holdCall();
    const remove = createErasedFilesRemover({ db: t.db, folder });
    await remove();
    await ask("DELETE", "/data");
    await writeFile(path, "restored from a copy of the disk");
    await remove();
    expect(await exists(path)).toBe(false);
    await writeFile(path, "restored from a copy of the disk, again");
    await removeFiles();
    expect(await exists(path)).toBe(false);
  });
});
