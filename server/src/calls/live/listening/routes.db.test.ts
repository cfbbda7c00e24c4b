import { createRing, RingWriter } from "@parley/audio/ring";
import { makeId } from "@parley/contract/ids";
import { systemClock } from "@parley/time/clock";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { deriveSecrets } from "../../../platform/config/secret.ts";
import { run } from "../../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi } from "../../../platform/http/testing/open-test-api.ts";
import { registerWorker } from "../../runs/lease/lease-store.ts";
import { setScene } from "../../runs/testing/call-scene.ts";
import { claimOwn } from "../../runs/testing/claim-own.ts";
import { end, writeAhead } from "../../runs/testing/simulated-steps.ts";
import { createStreamSlots } from "../stream-slots.ts";
import { type LineRings, type LiveServer, openLiveServer } from "./live-server.ts";
import { listeningRoutes } from "./routes.ts";

const { vouch } = deriveSecrets("a secret that is only used in tests");
const workerId = makeId("worker");
const lines = new Map<string, LineRings>();
let t: TestDatabase;
let api: TestApi;
let worker: LiveServer;
let url: string;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  const lineOf = (callId: string) => lines.get(callId) ?? null;
  worker = await openLiveServer({ workerId, vouch, clock: systemClock, lineOf }, "127.0.0.1", 0);
  await registerWorker(t.db, workerId, 100, `http://127.0.0.1:${worker.port}`);
  const streamSlots = createStreamSlots(10);
  api = openTestApi(t.db, () => listeningRoutes({ db: t.db, streamSlots, vouch, nowMs: Date.now }));
  url = await api.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await api.close();
  await worker.close();
  await t.close();
});

async function openCall(by = workerId) {
  const scene = await setScene(t.db);
  const id = await scene.place("test");
  const call = await claimOwn(t.db, by, id);
  await writeAhead(t.db, call);
  const rings = { heard: createRing(), played: createRing() };
  lines.set(id, rings);
  const say = (callee: number, agent: number) => {
    new RingWriter(rings.heard).write(new Int16Array(800).fill(callee));
    new RingWriter(rings.played).write(new Int16Array(800).fill(agent));
  };
  const finish = () =>
    end(t.db, call, { reason: "callee_hangup", by: "callee", isOrderly: true }).then(() => lines.delete(id));
  return { id, accountId: scene.accountId, say, finish };
}

const listen = (id: string, accountId: string, headers: Record<string, string> = {}, mode = "test") =>
  fetch(`${url}/api/v1/calls/${id}/listen`, {
    headers: { authorization: `Bearer svc_${mode}_${accountId}`, ...headers },
  });

const refusal = async (reply: Response) => ({
  status: reply.status,
  ...((await reply.json()) as { error: { code: string; message: string } }).error,
});

describe("listening in", () => {
  test("plays both sides as an endless WAV, from another process, until the call is over; and is audited", async () => {
    const { id, accountId, say, finish } = await openCall();
    const reply = await listen(id, accountId);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "audio/wav"]);
    say(700, -900);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of reply.body ?? []) {
      chunks.push(Buffer.from(chunk));
      length += chunk.length;
      if (length >= 44 + 3_200) await finish();
    }
    const bytes = Buffer.concat(chunks);
    expect(bytes.toString("latin1", 0, 4)).toBe("RIFF");
    expect(bytes.length).toBe(44 + 3_200);
    expect([bytes.readInt16LE(44), bytes.readInt16LE(46)]).toEqual([700, -900]);
    const notes = await run(t.db, "select 1 from audit_log where action = 'call.listened_in' and target = $1", [id]);
    expect(notes).toHaveLength(1);
  });

  test("over a WebSocket says what follows, plays it, and says that the call is over", async () => {
    const { id, accountId, say, finish } = await openCall();
    // Undici's client takes headers beside the protocols, which browsers do not.
    const options = { headers: { authorization: `Bearer svc_test_${accountId}` } };
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/v1/calls/${id}/listen`, options as never);
    socket.binaryType = "arraybuffer";
    const told: unknown[] = [];
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") {
        told.push(JSON.parse(data));
        say(700, -900);
      } else {
        told.push([...new Int16Array(data.slice(0, 4))]);
        void finish();
      }
    });
    const over = await new Promise<string>((resolve) => {
      socket.addEventListener("close", ({ code, reason }) => resolve(`${code} ${reason}`));
    });
    expect(over).toBe("1000 the call is over");
    expect(told).toEqual([{ sampleRateHz: 8000, channels: 2, encoding: "pcm_s16le" }, [700, -900]]);
  });

  test("finds no call of another account or another mode, nor one that never was", async () => {
    const { id, accountId, finish } = await openCall();
    const stranger = await api.addAccount("Strangers");
    const unknown = { status: 404, code: "call_not_found" };
    expect(await refusal(await listen(id, stranger.accountId))).toMatchObject(unknown);
    expect(await refusal(await listen(id, accountId, {}, "live"))).toMatchObject(unknown);
    expect(await refusal(await listen(makeId("call"), accountId))).toMatchObject(unknown);
    await finish();
  });

  test("is refused in words before anything is dialed, and after the end", async () => {
    const scene = await setScene(t.db);
    const waiting = await scene.place("test");
    const early = await refusal(await listen(waiting, scene.accountId));
    expect(early).toMatchObject({ status: 409, code: "invalid_state" });
    const call = await claimOwn(t.db, workerId, waiting);
    expect(await refusal(await listen(waiting, scene.accountId))).toMatchObject({ status: 409, code: "invalid_state" });
    await end(t.db, call, { reason: "canceled", by: "api", isOrderly: false });
    const late = await refusal(await listen(waiting, scene.accountId));
    expect(late).toMatchObject({ status: 409, message: expect.stringContaining("recording") });
  });

  test("says that the process which conducts the call is gone, where it is", async () => {
    const gone = makeId("worker");
    const closed = await openLiveServer(
      { workerId: gone, vouch, clock: systemClock, lineOf: () => null },
      "127.0.0.1",
      0,
    );
    await closed.close();
    await registerWorker(t.db, gone, 1, `http://127.0.0.1:${closed.port}`);
    const { id, accountId, finish } = await openCall(gone);
    const said = { status: 503, code: "unavailable", retryable: true, message: expect.stringContaining("process") };
    const reply = await listen(id, accountId);
    expect(reply.headers.get("retry-after")).toBe("5");
    expect(await refusal(reply)).toMatchObject(said);
    await run(t.db, "update call_runs set lease_expires_at = now() - interval '1 second' where call_id = $1", [id]);
    expect(await refusal(await listen(id, accountId))).toMatchObject(said);
    await finish();
  });

  test("cannot be requested from a worker with another installation's secret", async () => {
    const { id, accountId, finish } = await openCall();
    const others = deriveSecrets("the secret of another installation").vouch;
    const deps = { db: t.db, streamSlots: createStreamSlots(1), vouch: others, nowMs: Date.now };
    const other = openTestApi(t.db, () => listeningRoutes(deps));
    const headers = { authorization: `Bearer svc_test_${accountId}` };
    const reply = await other.app.inject({ url: `/api/v1/calls/${id}/listen`, headers });
    expect(reply.statusCode).toBe(503);
    await other.close();
    await finish();
  });

  test("takes no WebSocket of another version, and no key that is none", async () => {
    const { id, accountId, finish } = await openCall();
    const wrong = [
      { "sec-websocket-version": "8", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" },
      { "sec-websocket-version": "13", "sec-websocket-key": "short" },
    ];
    for (const headers of wrong) {
      const reply = await api.app.inject({
        url: `/api/v1/calls/${id}/listen`,
        headers: { authorization: `Bearer svc_test_${accountId}`, upgrade: "websocket", ...headers },
      });
      expect([reply.statusCode, reply.json().error.code]).toEqual([400, "bad_request"]);
    }
    await finish();
  });
});
