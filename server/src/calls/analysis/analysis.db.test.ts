import { Call } from "@parley/contract/calls";
import { EMPTY_FLOW, type Flow } from "@parley/contract/flow";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { checkInvariants } from "../../platform/checks/check-invariants.ts";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi } from "../../platform/http/testing/open-test-api.ts";
import { createLog } from "../../platform/telemetry/log.ts";
import { toCall } from "../call-record.ts";
import { requireCall } from "../call-store.ts";
import { transcriptPart } from "../retention/retained-parts.ts";
import { commitTalking } from "../runs/commits.ts";
import { registerWorker } from "../runs/lease/lease-store.ts";
import { commitConversation } from "../runs/talking/transcript.ts";
import { setScene } from "../runs/testing/call-scene.ts";
import { claimOwn } from "../runs/testing/claim-own.ts";
import { end, writeAhead } from "../runs/testing/simulated-steps.ts";
import { recoverLostCalls } from "../runs/worker/lost-calls.ts";
import { analysisRoutes } from "./routes.ts";

const FLOW: Flow = {
  ...EMPTY_FLOW,
  nodes: [
    { id: "begin", type: "start", next: "booked" },
    { id: "booked", type: "end", outcome: "booked", success: true },
  ],
};
const ORDERLY = { reason: "agent_hangup", by: "agent", isOrderly: true } as const;

let t: TestDatabase;
let api: TestApi;
const worker = makeId("worker");
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
  api = openTestApi(t.db, () => analysisRoutes());
});
afterAll(async () => {
  await api.close();
  await t.close();
});

async function openCall() {
  const scene = await setScene(t.db, { flow: FLOW });
  const id = await scene.place("test");
  const call = await claimOwn(t.db, worker, id);
  await writeAhead(t.db, call);
  return {
    id,
    call,
    scene,
    /** The callee answers, and the agent reaches these nodes. */
    async talk(...nodeIds: readonly string[]) {
      await commitTalking(t.db, call, 0);
      await commitConversation(t.db, call, {
        items: nodeIds.map((nodeId, at) => ({
          ordinal: at + 1,
          turn: null,
          orderMs: at,
          item: { type: "node", nodeId, startMs: at },
        })),
        undoneTurns: [],
        collected: { guests: 4 },
        latency: null,
        partUsage: null,
        answeredBy: null,
        calleeLanguage: null,
        suppresses: false,
      });
    },
    read: async () => toCall(await requireCall(t.db, { accountId: scene.accountId, mode: "test" }, id)),
    async told() {
      const events = "select type from call_events where call_id = $1 and type like 'call.%analyzed' order by sequence";
      const reports = "select type from outbox where call_id = $1 and type like 'call.%analyzed'";
      const types = async (sql: string) => (await run<{ type: string }>(t.db, sql, [id])).map(({ type }) => type);
      return { events: await types(events), reports: await types(reports) };
    },
    post: (accountId = scene.accountId, mode = "test") =>
      api.app.inject({
        method: "POST",
        url: `/api/v1/calls/${id}/analysis`,
        headers: { authorization: `Bearer svc_${mode}_${accountId}` },
      }),
  };
}

describe("the analysis of a call", () => {
  it("is pending from the answer on, ready at the end, and reported once, after the final event", async () => {
    const { call, talk, read, told } = await openCall();
    expect((await read()).analysis).toBeNull();
    await talk("begin", "booked");
    expect((await read()).analysis).toMatchObject({ status: "pending", outcome: null, by: null });
    await end(t.db, call, ORDERLY, 4_000);
    expect((await read()).analysis).toEqual({
      status: "ready",
      summary: null,
      outcome: "booked",
      success: true,
      fields: { guests: 4 },
      labels: [],
      by: "rules",
      model: null,
    });
    expect(await told()).toEqual({ events: ["call.analyzed"], reports: ["call.analyzed"] });
    const events = await run<{ type: string }>(
      t.db,
      "select type from call_events where call_id = $1 order by sequence",
      [call.id],
    );
    expect(events.slice(-3).map(({ type }) => type)).toEqual([
      "call.completed",
      "call.transcript.ready",
      "call.analyzed",
    ]);
    const [report] = await run<{ analysis: { outcome: string } }>(
      t.db,
      "select body::jsonb #> '{data,call,analysis}' as analysis from outbox where call_id = $1 and type = 'call.analyzed'",
      [call.id],
    );
    expect(report?.analysis.outcome).toBe("booked");
  });

  it("is also reported once for a call whose worker died", async () => {
    const { call, talk, read, told } = await openCall();
    await talk("begin");
    await run(t.db, "update call_runs set lease_expires_at = now() - interval '1 minute' where call_id = $1", [
      call.id,
    ]);
    const recover = () =>
      recoverLostCalls({
        db: t.db,
        workerId: worker,
        findCarrier: () => ({ endOrphan: async () => true }),
        log: createLog("silent"),
        quietSeconds: 0,
      });
    expect(await recover()).toBe(1);
    await recover();
    expect((await read()).analysis).toMatchObject({ status: "ready", outcome: "worker_lost", success: false });
    expect(await told()).toEqual({ events: ["call.analyzed"], reports: ["call.analyzed"] });
  });

  it("is neither created nor reported for an unanswered call", async () => {
    const { call, read, told } = await openCall();
    await end(t.db, call, { reason: "no_answer", by: "service", isOrderly: true });
    expect((await read()).analysis).toBeNull();
    expect(await told()).toEqual({ events: [], reports: [] });
  });

  it("is erased with the transcript", async () => {
    const { id, call, talk, read } = await openCall();
    await talk("begin", "booked");
    await end(t.db, call, ORDERLY, 4_000);
    const row = await requireCall(t.db, { accountId: call.account_id, mode: "test" }, id);
    await transcriptPart.erase(t.db as never, row, "asked for");
    await run(t.db, "update calls set transcript_erased_at = now() where id = $1", [id]);
    expect((await read()).analysis).toMatchObject({ status: "off", outcome: null, fields: {} });
    const bodies = await run<{ body: string }>(t.db, "select body from outbox where call_id = $1", [id]);
    expect(JSON.stringify(bodies)).not.toContain("guests");
  });
});

describe("POST /calls/{id}/analysis", () => {
  it("judges by the version that is published now, and sends no second webhook", async () => {
    const { call, talk, scene, post, told, read } = await openCall();
    await talk("begin", "booked");
    await end(t.db, call, ORDERLY, 4_000);
    const nodes = FLOW.nodes.map((node) => (node.type === "end" ? { ...node, outcome: "kept", success: false } : node));
    await run(
      t.db,
      "insert into agent_versions (id, agent_id, version, note, language, flow) values ($1, $2, 2, '', 'en-US', $3)",
      [makeId("agentVersion"), scene.agentId, JSON.stringify({ ...FLOW, nodes })],
    );
    await run(t.db, "update agents set published_version = 2 where id = $1", [scene.agentId]);
    const reply = await post();
    expect(reply.statusCode).toBe(200);
    expect(Call.parse(reply.json().data).analysis).toMatchObject({ outcome: "kept", success: false });
    expect((await read()).analysis).toMatchObject({ outcome: "kept", success: false });
    expect(await told()).toEqual({ events: ["call.analyzed", "call.reanalyzed"], reports: ["call.analyzed"] });
    expect((await checkInvariants(t.db)).results.filter(({ total }) => total > 0)).toEqual([]);
  });

  it("answers 409 during the call, for an unanswered call, and after erasure", async () => {
    const { id, call, talk, post } = await openCall();
    await talk("begin");
    expect([(await post()).statusCode, (await post()).json().error.code]).toEqual([409, "invalid_state"]);
    await end(t.db, call, ORDERLY, 4_000);
    await run(t.db, "update calls set transcript_erased_at = now() where id = $1", [id]);
    expect((await post()).statusCode).toBe(409);
    const unanswered = await openCall();
    await end(t.db, unanswered.call, { reason: "busy", by: "callee", isOrderly: true });
    expect((await unanswered.post()).statusCode).toBe(409);
  });

  it("answers 404 in the other mode and to another account", async () => {
    const { call, talk, post, scene } = await openCall();
    await talk("begin");
    await end(t.db, call, ORDERLY, 4_000);
    const other = await setScene(t.db);
    for (const reply of [await post(other.accountId), await post(scene.accountId, "live")]) {
      expect([reply.statusCode, reply.json().error.code]).toEqual([404, "call_not_found"]);
    }
  });
});
