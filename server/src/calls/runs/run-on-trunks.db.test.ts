import { makeId } from "@parley/contract/ids";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { createLog } from "../../platform/telemetry/log.ts";
import type { CallRow } from "../call-record.ts";
import { registerWorker } from "./lease/lease-store.ts";
import { CallRun } from "./run.ts";
import { setScene } from "./testing/call-scene.ts";
import { claimOwn } from "./testing/claim-own.ts";
import { createTrunkCarrier, type TrunkCarrierOptions } from "./testing/trunk-carrier.ts";
import { addTrunk, countChannels, readAttempts } from "./testing/trunk-scene.ts";
import { recoverLostCalls } from "./worker/lost-calls.ts";

let t: TestDatabase;
const worker = makeId("worker");

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
});
afterAll(() => t.close());

const WAIT = { timeout: 10_000, interval: 10 };
const log = createLog("silent");

async function conduct(options: TrunkCarrierOptions) {
  const clock = createVirtualClock();
  const carrier = createTrunkCarrier(options);
  const scene = await setScene(t.db);
  const id = await scene.place("live");
  const call = await claimOwn(t.db, worker, id);
  const deps = { db: t.db, chooseCarrier: () => carrier, clock, monotonicMs: () => clock.now(), log };
  const callRun = new CallRun(
    { ...deps, askGate: async (call) => ({ decision: "allowed", call }), talk: null },
    { call, sendInMs: 0, listAndCredit: null },
  );
  await clock.advance(1);
  const read = async (): Promise<CallRow> => {
    const [row] = await run<CallRow>(t.db, "select * from calls where id = $1", [id]);
    if (!row) throw new Error("the call is gone");
    return row;
  };
  const reaches = (state: CallRow["state"]) =>
    vi.waitFor(async () => expect((await read()).state).toBe(state), WAIT).then(read);
  const sends = (count: number) => vi.waitFor(() => expect(carrier.sent).toHaveLength(count), WAIT);
  return { id, clock, carrier, callRun, read, reaches, sends };
}

describe("a call on trunks", () => {
  test("goes out on the next trunk when the first cannot carry it, and reports the audio quality", async () => {
    const [one, two] = [await addTrunk(t.db), await addTrunk(t.db)];
    const statistics = {
      packetsSent: 100,
      packetsReceived: 98,
      packetsLost: 2,
      jitterMs: 4,
      roundTripMs: null,
      isHeard: null,
      mos: 4.2,
    };
    const { id, carrier, callRun, reaches, sends, read } = await conduct({ trunkIds: [one, two], statistics });
    await sends(1);
    await carrier.refuse(503);
    await sends(2);
    await carrier.answer();
    await reaches("talking");
    carrier.report({ type: "ended", cause: "hangup", code: null, reason: "Normal Clearing", by: "callee" });
    await callRun.finished;
    expect(await read()).toMatchObject({
      status: "completed",
      end_reason: "callee_hangup",
      carrier: { name: "sip", code: null, explanation: "The call ended normally." },
      quality: { mos: 4.2, lossPercent: 2, jitterMs: 4 },
    });
    expect(await readAttempts(t.db, id)).toMatchObject([
      { trunk_id: one, cause: "unavailable", code: 503 },
      { trunk_id: two, record: { kind: "dialog" } },
    ]);
    expect([await countChannels(t.db, one), await countChannels(t.db, two)]).toEqual([0, 0]);
  });

  test("waits in its worker while every trunk is full, and goes out as soon as one is not", async () => {
    const trunkId = await addTrunk(t.db, { channelsMax: 1 });
    await run(t.db, "update trunk_channels set active_count = 1 where trunk_id = $1", [trunkId]);
    const { clock, carrier, callRun, read, sends } = await conduct({ trunkIds: [trunkId] });
    await vi.waitFor(() => expect(clock.nextTimerInMs()).toBe(500), WAIT);
    expect(await read()).toMatchObject({ state: "claimed", dialing_at: null });
    await run(t.db, "update trunk_channels set active_count = 0 where trunk_id = $1", [trunkId]);
    await clock.advance(500);
    await sends(1);
    callRun.dispatch({ type: "hangup.requested" });
    await callRun.finished;
    expect(await read()).toMatchObject({ state: "ended", end_reason: "canceled" });
    expect(await countChannels(t.db, trunkId)).toBe(0);
    expect(carrier.sent).toHaveLength(1);
  });

  test("goes back to the queue when no trunk has room for long, undialed", async () => {
    const trunkId = await addTrunk(t.db, { channelsMax: 1 });
    await run(t.db, "update trunk_channels set active_count = 1 where trunk_id = $1", [trunkId]);
    const { id, clock, carrier, callRun, read } = await conduct({ trunkIds: [trunkId] });
    let isFinished = false;
    void callRun.finished.then(() => {
      isFinished = true;
    });
    await vi.waitFor(async () => {
      await clock.advance(4000);
      expect(isFinished).toBe(true);
    }, WAIT);
    expect(await read()).toMatchObject({ state: "queued", dialing_at: null });
    expect(await readAttempts(t.db, id)).toEqual([]);
    expect(carrier.sent).toEqual([]);
    expect(clock.pendingTimers()).toBe(0);
    await run(t.db, "update calls set due_at = now() + interval '1 hour' where id = $1", [id]);
  });

  test("whose hang-up the network never confirms still ends, and keeps its channel", async () => {
    const trunkId = await addTrunk(t.db);
    const { clock, carrier, callRun, reaches, sends, read } = await conduct({
      trunkIds: [trunkId],
      confirmsHangup: false,
    });
    await sends(1);
    await carrier.answer();
    await reaches("talking");
    callRun.dispatch({ type: "hangup.requested" });
    await clock.advance(5000);
    await callRun.finished;
    expect(await read()).toMatchObject({ state: "ended", end_reason: "api_hangup" });
    expect(await countChannels(t.db, trunkId)).toBe(1);
  });
});

describe("a call on a trunk whose worker is gone", () => {
  for (const confirmsHangup of [true, false]) {
    test(`is ended with what was written down, and its channel ${confirmsHangup ? "is free" : "stays taken"} when the network ${confirmsHangup ? "confirms" : "does not confirm"} it`, async () => {
      const trunkId = await addTrunk(t.db);
      const { id, carrier, callRun, reaches, sends, read } = await conduct({ trunkIds: [trunkId], confirmsHangup });
      await sends(1);
      await carrier.answer();
      await reaches("talking");
      await run(t.db, "update call_runs set lease_expires_at = now() - interval '1 second' where call_id = $1", [id]);
      const asked: string[] = [];
      await recoverLostCalls({
        db: t.db,
        workerId: worker,
        findCarrier: (name) => {
          asked.push(name);
          return carrier;
        },
        log,
        quietSeconds: 0,
      });
      expect(asked).toEqual(["sip"]);
      expect(carrier.orphans).toEqual([
        { callId: id, dialId: carrier.sent[0]?.dialId, trunkId, record: { kind: "dialog" } },
      ]);
      expect(await read()).toMatchObject({ status: "failed", end_reason: "worker_lost" });
      expect(await countChannels(t.db, trunkId)).toBe(confirmsHangup ? 0 : 1);
      callRun.dispatch({ type: "lease.lost" });
      await callRun.finished;
    });
  }
});
