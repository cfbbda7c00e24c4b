import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { inTransaction, run } from "../../platform/database/database.ts";
import type { RecordingState } from "../../platform/database/schema/schema.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi } from "../../platform/http/testing/open-test-api.ts";
import { type CallRow, toCall } from "../call-record.ts";
import { setScene } from "../runs/testing/call-scene.ts";
import { insertPeaks } from "./recording-state-store.ts";
import { createLocalRecordingStore, recordingPath } from "./recording-storage.ts";
import { recordingRoutes } from "./routes.ts";

let t: TestDatabase;
let api: TestApi;
let folder: string;
let nowMs = Date.now();

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  folder = await mkdtemp(join(tmpdir(), "parley-recordings-"));
  api = openTestApi(t.db, () =>
    recordingRoutes({
      db: t.db,
      stores: [createLocalRecordingStore(folder)],
      sign: deriveSecrets("a secret that is only used in tests").sign,
      publicUrl: () => "https://parley.test",
      nowMs: () => nowMs,
    }),
  );
});
afterAll(async () => {
  await api.close();
  await t.close();
  await rm(folder, { recursive: true });
});

const READY: RecordingState = { status: "ready", durationMs: 1_250, partial: false, reason: null };
const CONTENT = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251));

async function openCall(recording: RecordingState | null, fields: Record<string, unknown> = {}) {
  const scene = await setScene(t.db);
  const id = await scene.place("test", fields);
  const [row] = await run<CallRow>(t.db, "update calls set recording = $2 where id = $1 returning *", [
    id,
    recording && JSON.stringify(recording),
  ]);
  if (!row) throw new Error("the call is gone");
  const path = recordingPath(folder, row);
  if (recording !== null) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, CONTENT);
  }
  const fetch = (headers: Record<string, string> = {}, accountId = scene.accountId) =>
    api.app.inject({
      url: `/api/v1/calls/${id}/recording`,
      headers: { authorization: `Bearer svc_test_${accountId}`, ...headers },
    });
  return { id, row, path, fetch, accountId: scene.accountId };
}

describe("the recording of a call", () => {
  test("is sent whole, as audio that no proxy may cache", async () => {
    const { fetch, row, id } = await openCall(READY);
    const reply = await fetch();
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      "content-type": "audio/wav",
      "content-length": "1000",
      "accept-ranges": "bytes",
      "cache-control": "private, no-store",
      "content-disposition": `inline; filename="${id}.wav"`,
    });
    expect(reply.rawPayload).toEqual(CONTENT);
    expect(toCall(row).recording).toEqual({
      status: "ready",
      durationSeconds: 1.25,
      partial: false,
      gaps: [],
      url: `/api/v1/calls/${id}/recording`,
      reason: null,
    });
  });

  test("is sent in parts to a player that jumps about in it", async () => {
    const { fetch } = await openCall(READY);
    const middle = await fetch({ range: "bytes=100-199" });
    expect(middle.statusCode).toBe(206);
    expect(middle.headers["content-range"]).toBe("bytes 100-199/1000");
    expect(middle.rawPayload).toEqual(CONTENT.subarray(100, 200));
    const last = await fetch({ range: "bytes=-10" });
    expect(last.rawPayload).toEqual(CONTENT.subarray(990));
    const etag = String(middle.headers["etag"]);
    expect((await fetch({ range: "bytes=0-9", "if-range": etag })).statusCode).toBe(206);
    expect((await fetch({ range: "bytes=0-9", "if-range": '"another"' })).statusCode).toBe(200);
  });

  test("has no part beyond its end", async () => {
    const reply = await (await openCall(READY)).fetch({ range: "bytes=1000-" });
    expect(reply.statusCode).toBe(416);
    expect(reply.headers["content-range"]).toBe("bytes */1000");
    expect(reply.json()).toMatchObject({ error: { code: "range_not_satisfiable" } });
  });

  test.each([
    ["of a call that was not to be recorded", null, { record: false }, 404, "not to be recorded"],
    ["of a call that nobody answered", null, {}, 404, "has not been answered"],
    ["that failed", { ...READY, status: "failed", reason: "There is no space left on the disk." }, {}, 404, "no space"],
    ["that is still being made", { ...READY, status: "recording" }, {}, 409, "still being recorded"],
  ] as const)("%s is refused with the reason", async (_, recording, fields, status, words) => {
    const reply = await (await openCall(recording, fields)).fetch();
    expect(reply.statusCode).toBe(status);
    expect(reply.json<{ error: { message: string } }>().error.message).toContain(words);
  });

  test("whose file is on another machine is not found", async () => {
    const { fetch, path } = await openCall(READY);
    await rm(path);
    expect((await fetch()).json()).toMatchObject({ error: { code: "not_found" } });
  });

  test("of another account does not exist", async () => {
    const { fetch } = await openCall(READY);
    const stranger = await setScene(t.db);
    expect((await fetch({}, stranger.accountId)).json()).toMatchObject({ error: { code: "call_not_found" } });
  });

  test("can be drawn by a player before it is fetched", async () => {
    const { id, accountId } = await openCall(READY);
    const ask = () =>
      api.app.inject({
        url: `/api/v1/calls/${id}/recording/peaks`,
        headers: { authorization: `Bearer svc_test_${accountId}` },
      });
    expect((await ask()).json()).toMatchObject({ error: { code: "not_found" } });
    await inTransaction(t.db, (tx) =>
      insertPeaks(tx, id, { samplesPerPeak: 160, callee: Uint8Array.of(0, 255), agent: Uint8Array.of(7, 0) }),
    );
    expect((await ask()).json()).toEqual({
      success: true,
      data: { callId: id, durationSeconds: 1.25, secondsPerPeak: 0.02, callee: [0, 255], agent: [7, 0] },
    });
  });

  test("records in the audit log who began to listen, and not every range request", async () => {
    const { fetch, id } = await openCall(READY);
    await fetch();
    await fetch({ range: "bytes=0-99" });
    await fetch({ range: "bytes=100-199" });
    const notes = await run(t.db, "select * from audit_log where action = 'recording.downloaded' and target = $1", [
      id,
    ]);
    expect(notes).toHaveLength(2);
  });
});

describe("a link to a recording", () => {
  async function makeLink(recording: RecordingState = READY) {
    const opened = await openCall(recording);
    const reply = await api.app.inject({
      method: "POST",
      url: `/api/v1/calls/${opened.id}/recording/link`,
      headers: { authorization: `Bearer svc_test_${opened.accountId}` },
    });
    const { url = "https://parley.test/", expiresAt } =
      reply.json<{ data?: { url: string; expiresAt: string } }>().data ?? {};
    const { pathname, search } = new URL(url);
    const follow = (headers: Record<string, string> = {}, path = pathname + search) =>
      api.app.inject({ url: path, headers });
    return { ...opened, reply, url, pathname, search, expiresAt, follow };
  }
  const bare = (reply: Awaited<ReturnType<TestApi["app"]["inject"]>>) => {
    const { requestId: _, ...error } = reply.json<{ error: Record<string, unknown> }>().error;
    return { status: reply.statusCode, error };
  };

  test("plays it for anyone with the link, without a key, whole or in parts", async () => {
    const { follow, url, id, expiresAt } = await makeLink();
    expect(url).toMatch(new RegExp(`^https://parley.test/api/v1/calls/${id}/recording/link[?]token=rl_[\\w.-]+$`));
    expect(Date.parse(expiresAt ?? "")).toBe(nowMs + 600_000);
    const whole = await follow();
    expect([whole.statusCode, whole.rawPayload]).toEqual([200, CONTENT]);
    const part = await follow({ range: "bytes=-10" });
    expect([part.statusCode, part.rawPayload]).toEqual([206, CONTENT.subarray(990)]);
  });

  test("that expired, was changed, is for another call, or whose recording is gone is refused in the same words", async () => {
    const good = await makeLink();
    const refusals = [];
    refusals.push(bare(await good.follow({}, `${good.pathname}${good.search.slice(0, -1)}`)));
    refusals.push(bare(await good.follow({}, `${good.pathname}?token=nonsense`)));
    const other = await openCall(READY);
    refusals.push(bare(await good.follow({}, `/api/v1/calls/${other.id}/recording/link${good.search}`)));
    const live = await makeLink();
    await run(t.db, "update calls set mode = 'live' where id = $1", [live.id]);
    refusals.push(bare(await live.follow()));
    const erased = await makeLink();
    await run(t.db, `update calls set recording = recording || '{"status":"erased"}' where id = $1`, [erased.id]);
    refusals.push(bare(await erased.follow()));
    const lost = await makeLink();
    await rm(lost.path);
    refusals.push(bare(await lost.follow()));
    nowMs += 600_000;
    refusals.push(bare(await good.follow()));
    nowMs -= 600_000;
    expect(refusals).toEqual(Array(7).fill(refusals[0]));
    expect(refusals[0]).toMatchObject({ status: 404, error: { code: "not_found" } });
    expect((await good.follow()).statusCode).toBe(200);
  });

  test("records in the audit log who created it and everyone who used it", async () => {
    const { follow, id, accountId } = await makeLink();
    await follow();
    const notes = await run(
      t.db,
      "select action, actor, data from audit_log where target = $1 and account_id = $2 order by id",
      [id, accountId],
    );
    expect(notes).toEqual([
      { action: "recording.link_created", actor: `key_${accountId}`, data: {} },
      { action: "recording.downloaded", actor: `key_${accountId}`, data: { by: "link" } },
    ]);
  });

  test("is not created where there is no recording", async () => {
    const { reply } = await makeLink({ ...READY, status: "failed", reason: "There is no space left on the disk." });
    expect([reply.statusCode, reply.json()]).toMatchObject([404, { error: { code: "not_found" } }]);
  });
});
