import { Call } from "@parley/contract/calls";
import { EMPTY_FLOW, type Flow } from "@parley/contract/flow";
import type { FlowSettings } from "@parley/contract/flow-settings";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Admission, countAndHoldCredit } from "../../phone/gate/count-and-hold-credit.ts";
import { type GateQuestion, judgeNumber } from "../../phone/gate/judge-number.ts";
import { checkInvariants } from "../../platform/checks/check-invariants.ts";
import { run, type Tx } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { toCall } from "../call-record.ts";
import { requireCall } from "../call-store.ts";
import { commitTalking } from "../runs/commits.ts";
import { registerWorker } from "../runs/lease/lease-store.ts";
import { commitConversation } from "../runs/talking/transcript.ts";
import { type Scene, setScene, simulatedGate } from "../runs/testing/call-scene.ts";
import { claimOwn } from "../runs/testing/claim-own.ts";
import { end, writeAhead } from "../runs/testing/simulated-steps.ts";
import { createRedials, redialTime } from "./redials.ts";

const ORDERLY = { reason: "agent_hangup", by: "agent", isOrderly: true } as const;

let t: TestDatabase;
const worker = makeId("worker");
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 1000);
});
afterAll(async () => {
  const { results } = await checkInvariants(t.db);
  expect(results.filter(({ total }) => total > 0)).toEqual([]);
  await t.close();
});

function flowWith(callback: FlowSettings["callback"]): Flow {
  return { ...EMPTY_FLOW, settings: callback === undefined ? {} : { callback } };
}

const gate = simulatedGate();

function deps() {
  return {
    db: t.db,
    findAgent: async () => ({ version: 1, engine: null, needsModel: false }),
    chooseEngine: () => "local",
    refuseFlow: async () => undefined,
    findRate: async () => ({ prefix: "+1", routePerMinuteMicros: 20_000n, enginePerMinuteMicros: 10_000n }),
    routeCall: gate.routeCall,
    judgeNumber: (tx: Tx, question: GateQuestion) => judgeNumber(tx, gate, question),
    countAndHoldCredit: (tx: Tx, admission: Admission) => countAndHoldCredit(tx, gate, admission),
    nowMs: gate.nowMs,
    refuseCallerId: () => null,
  };
}

/** A call in which the callee asked to be called later. */
async function holdCall(id: string, callback: string | null = "later"): Promise<void> {
  const call = await claimOwn(t.db, worker, id);
  await writeAhead(t.db, call);
  await commitTalking(t.db, call, 0);
  await commitConversation(t.db, call, {
    items: [],
    undoneTurns: [],
    collected: callback === null ? { guests: 4 } : { callback },
    latency: null,
    partUsage: null,
    answeredBy: null,
    calleeLanguage: null,
    suppresses: false,
  });
  await end(t.db, call, ORDERLY, 4_000);
}

async function readCall(scene: Scene, id: string): Promise<Call> {
  return Call.parse(toCall(await requireCall(t.db, { accountId: scene.accountId, mode: "live" }, id)));
}

async function eventsOf(id: string): Promise<readonly { type: string; data: Record<string, unknown> }[]> {
  const sql = "select type, data from call_events where call_id = $1 and type like 'call.redial%' order by sequence";
  return run<{ type: string; data: Record<string, unknown> }>(t.db, sql, [id]);
}

async function callsOf(scene: Scene): Promise<number> {
  const [row] = await run<{ count: number }>(t.db, "select count(*)::int as count from calls where account_id = $1", [
    scene.accountId,
  ]);
  return row?.count ?? 0;
}

describe("a callee who asks to be called later", () => {
  it("is called again if the flow says so, and the calls name each other", async () => {
    const scene = await setScene(t.db, { flow: flowWith({ redial: true, laterAfterMinutes: 30 }) });
    const id = await scene.place("live", { variables: { name: "Ada" }, metadata: { order: "7" } });
    await holdCall(id);
    await createRedials(deps());
    const first = await readCall(scene, id);
    const second = await readCall(scene, first.followedBy ?? "");
    expect(second).toMatchObject({ follows: id, followedBy: null, phase: "scheduled", variables: { name: "Ada" } });
    expect(second.metadata).toEqual({ order: "7" });
    const waitMs = Date.parse(second.scheduledAt ?? "") - Date.parse(first.endedAt ?? "");
    expect(waitMs).toBe(30 * 60_000);
    expect(await eventsOf(id)).toEqual([
      { type: "call.redial_scheduled", data: { callId: second.id, scheduledAt: second.scheduledAt } },
    ]);
  });

  it.each([
    ["the flow does not say so", undefined, "later"],
    ["the flow says no", { redial: false }, "later"],
    ["nothing was asked for", { redial: true }, null],
  ] as const)("is not called again if %s", async (_, callback, said) => {
    const scene = await setScene(t.db, { flow: flowWith(callback) });
    const id = await scene.place("live");
    await holdCall(id, said);
    await createRedials(deps());
    expect(await readCall(scene, id)).toMatchObject({ follows: null, followedBy: null });
    expect(await callsOf(scene)).toBe(1);
  });

  it("is called again at most as often as the flow says, however often they ask", async () => {
    const scene = await setScene(t.db, { flow: flowWith({ redial: true, redialsMax: 2 }) });
    let id = await scene.place("live");
    for (let round = 0; round < 4; round += 1) {
      await run(t.db, "update calls set due_at = clock_timestamp() - interval '1 second' where id = $1", [id]);
      await holdCall(id);
      await createRedials(deps());
      const { followedBy } = await readCall(scene, id);
      if (followedBy === null) break;
      id = followedBy;
    }
    expect(await callsOf(scene)).toBe(3);
  });

  it("is called again exactly once, however many processes create the calls at the same time", async () => {
    const scene = await setScene(t.db, { flow: flowWith({ redial: true }) });
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const id = await scene.place("live", { phoneNumber: `+155501002${10 + index}` });
      await holdCall(id);
      ids.push(id);
    }
    await Promise.all(Array.from({ length: 6 }, () => createRedials(deps())));
    await createRedials(deps());
    expect(await callsOf(scene)).toBe(24);
    const followers = await Promise.all(ids.map(async (id) => (await readCall(scene, id)).followedBy));
    expect(new Set(followers).size).toBe(12);
    expect(followers).not.toContain(null);
  });

  it("is not called again after asking never to be called", async () => {
    const scene = await setScene(t.db, { flow: flowWith({ redial: true }) });
    const id = await scene.place("live");
    await holdCall(id);
    await run(t.db, "insert into suppressions (account_id, phone_number) values ($1, '+15550100001')", [
      scene.accountId,
    ]);
    await createRedials(deps());
    expect((await readCall(scene, id)).followedBy).toBeNull();
    expect(await callsOf(scene)).toBe(1);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(["call.redial_refused"]);
  });

  it("is not called again by a key that was revoked", async () => {
    const scene = await setScene(t.db, { flow: flowWith({ redial: true }) });
    const id = await scene.place("live");
    await holdCall(id);
    await run(t.db, "update api_keys set revoked_at = clock_timestamp() where account_id = $1", [scene.accountId]);
    await createRedials(deps());
    expect(await callsOf(scene)).toBe(1);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(["call.redial_refused"]);
  });

  it("waits while the account's queue is full", async () => {
    const scene = await setScene(t.db, { flow: flowWith({ redial: true }), queuedMax: 1 });
    const id = await scene.place("live");
    await holdCall(id);
    await scene.place("live", {
      phoneNumber: "+15550100044",
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await createRedials(deps());
    expect(await callsOf(scene)).toBe(2);
    await run(t.db, "update dispatch_lanes set queued_max = 10 where account_id = $1", [scene.accountId]);
    await run(t.db, "update redials set next_try_at = clock_timestamp() - interval '1 second'");
    await createRedials(deps());
    expect(await callsOf(scene)).toBe(3);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(["call.redial_scheduled"]);
  });
});

describe("the time of the next call", () => {
  const ENDED_MS = Date.UTC(2026, 2, 2, 15, 30);
  const timeOf = (callback: string) => {
    const ms = redialTime(callback, { redial: true }, ENDED_MS, "America/New_York");
    return ms === null ? null : new Date(ms).toISOString();
  };

  it.each([
    ["2026-03-02 17:00", "2026-03-02T22:00:00.000Z"],
    ["2026-03-09 17:00", "2026-03-09T21:00:00.000Z"],
    ["2026-03-04", "2026-03-04T15:30:00.000Z"],
    ["later", "2026-03-02T17:30:00.000Z"],
    ["2026-03-02", "2026-03-02T17:30:00.000Z"],
    ["2026-03-02 09:00", "2026-03-02T17:30:00.000Z"],
    ["2026-12-24 17:00", null],
  ])("for %s is %s, where the callee is", (callback, expected) => {
    expect(timeOf(callback)).toBe(expected);
  });
});
