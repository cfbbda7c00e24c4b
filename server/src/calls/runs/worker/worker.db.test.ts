import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { makeId } from "@parley/contract/ids";
import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { writeAheadOnce } from "../../../phone/carriers/open-carriers.ts";
import { type Database, openDatabase, run } from "../../../platform/database/database.ts";
import { listen } from "../../../platform/database/listen.ts";
import { createTestDatabase, type TestDatabase } from "../../../platform/database/testing/test-database.ts";
import { openHealthServer } from "../../../platform/http/health/health-server.ts";
import { createLog } from "../../../platform/telemetry/log.ts";
import { createReadiness } from "../../../platform/telemetry/readiness.ts";
import { findCall } from "../../call-store.ts";
import { readCapacity, toCallsWithWaiting } from "../../waiting.ts";
import { registerWorker } from "../lease/lease-store.ts";
import { setScene } from "../testing/call-scene.ts";
import { HeadroomMeter } from "./headroom/headroom-meter.ts";
import { listLiveWorkers } from "./headroom/headroom-store.ts";
import { recoverLostCalls } from "./lost-calls.ts";
import { startCallWorker } from "./worker.ts";

let t: TestDatabase;
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());

const log = createLog("silent");
const WAIT = { timeout: 10_000, interval: 20 };

/** A call that waits, and a worker whose calls go through `db`; its leases do not. */
async function openScene(db: Database, headroom: HeadroomMeter | null = null) {
  const clock = createVirtualClock();
  const network = createSimulatedNetwork({ clock, audio: false });
  const listener = listen(t.url, ["parley_queued", "parley_hangups"], () => undefined);
  const scene = await setScene(t.db);
  const id = await scene.place("test", { phoneNumber: "+15550100009" });
  const worker = startCallWorker({
    id: makeId("worker"),
    db,
    leaseDb: t.db,
    listener,
    log,
    chooseCarrier: () => writeAheadOnce(network),
    findCarrier: () => network,
    clock,
    monotonicMs: () => clock.now(),
    slotsMax: 10,
    internalUrl: null,
    presence: null,
    askGate: async (call) => ({ decision: "allowed", call }),
    talk: null,
    onLiveCalls: () => undefined,
    headroom,
  });
  const stop = async () => {
    worker.hangUpAll();
    await worker.drain();
    await listener.close();
    await network.close();
  };
  return { clock, network, id, accountId: scene.accountId, worker, stop };
}

test("a worker that stood still and gets back the call it had lost conducts it to the end", async () => {
  const { clock, network, id, stop } = await openScene(t.db);
  const read = async () =>
    (await run<{ state: string; fence: bigint }>(t.db, "select state, fence from calls where id = $1", [id]))[0];
  try {
    // Its time to be sent does not come, because the clock stands still; its lease runs out and another worker recovers the call.
    await vi.waitFor(async () => expect(await read()).toMatchObject({ state: "claimed", fence: 1n }), WAIT);
    await run(t.db, "update call_runs set lease_expires_at = now() - interval '1 second' where call_id = $1", [id]);
    await registerWorker(t.db, "wrk_other", 1);
    await recoverLostCalls({ db: t.db, workerId: "wrk_other", findCarrier: () => network, log, quietSeconds: 0 });
    await vi.waitFor(async () => expect(await read()).toMatchObject({ state: "claimed", fence: 2n }), WAIT);

    await clock.advance(1);
    await vi.waitFor(async () => {
      await clock.advance(100);
      expect(await read()).toMatchObject({ state: "talking" });
    }, WAIT);
    expect(network.dialed()).toHaveLength(1);
    await run(t.db, "select pg_notify('parley_hangups', $1)", [id]);
    await vi.waitFor(async () => {
      await clock.advance(100);
      expect(await read()).toMatchObject({ state: "ended" });
    }, WAIT);
  } finally {
    await stop();
  }
});

test("a crowd that waits for connections costs no worker its calls", async () => {
  const narrow = openDatabase({
    url: t.url,
    connectionsMax: 1,
    applicationName: "crowd",
    onIdleError: () => undefined,
  });
  const { id, stop } = await openScene(narrow);
  const leaseOf = async () => {
    const rows = await run<{ until: Date }>(
      t.db,
      "select r.lease_expires_at as until from call_runs r join calls c on c.id = r.call_id and c.fence = r.fence where c.id = $1",
      [id],
    );
    return rows[0]?.until.getTime() ?? 0;
  };
  const crowd = Promise.withResolvers<void>();
  let occupied: Promise<void> = Promise.resolve();
  try {
    await vi.waitFor(async () => expect(await leaseOf()).toBeGreaterThan(0), WAIT);
    occupied = narrow.transaction().execute(() => crowd.promise);
    const before = await leaseOf();
    await vi.waitFor(async () => expect(await leaseOf()).toBeGreaterThan(before), WAIT);
  } finally {
    crowd.resolve();
    await occupied;
    await stop();
    await narrow.destroy();
  }
});

/** A relay to the database that breaks the connection on which a claim found a call, once, after it was committed. */
async function breakOneClaim() {
  const { hostname, port } = new URL(t.url);
  let wasBroken = false;
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    let isSilent = false;
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => {
      if (!wasBroken && bytes.includes("claimed")) isSilent = wasBroken = true;
      if (!isSilent) near.write(bytes);
      else if (bytes.includes("COMMIT")) near.destroy();
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      from.on("error", () => undefined).on("close", () => to.destroy());
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  const url = new URL(t.url);
  url.port = String((relay.address() as AddressInfo).port);
  const db = openDatabase({ url: url.href, connectionsMax: 2, applicationName: "relay", onIdleError: () => undefined });
  return {
    db,
    wasBroken: () => wasBroken,
    async close() {
      await db.destroy();
      relay.close();
      await once(relay, "close");
    },
  };
}

test("a call whose claim was committed without a reply is conducted by the worker that claimed it", async () => {
  const relay = await breakOneClaim();
  const { clock, network, id, stop } = await openScene(relay.db);
  try {
    await vi.waitFor(async () => {
      await clock.advance(100);
      expect(await run(t.db, "select fence from calls where id = $1 and state = 'talking'", [id])).toEqual([
        { fence: 1n },
      ]);
    }, WAIT);
    expect(relay.wasBroken()).toBe(true);
    expect(network.dialed().filter(({ callId }) => callId === id)).toHaveLength(1);
  } finally {
    await stop();
    await relay.close();
  }
});

test("a worker whose claim hangs is not ready after ten seconds, until calls can be claimed again", async () => {
  const { clock, id, worker, stop } = await openScene(t.db);
  const readiness = createReadiness();
  readiness.add(worker.checkReady);
  const metrics = { contentType: "text/plain", text: async () => "" };
  const deps = { checkReady: readiness.check, notice: () => null, metrics, operatorToken: null };
  const health = await openHealthServer(deps, "127.0.0.1", 0);
  const status = async () => (await fetch(`http://127.0.0.1:${health.port}/readyz`)).status;
  const isHanging = async () =>
    (await run(t.db, "select 1 from pg_locks where relation = 'waiting_lanes'::regclass and not granted")).length > 0;
  const released = Promise.withResolvers<void>();
  let holding: Promise<void> = Promise.resolve();
  try {
    await vi.waitFor(async () => {
      expect(await run(t.db, "select 1 from calls where id = $1 and state = 'claimed'", [id])).toHaveLength(1);
    }, WAIT);
    const locked = Promise.withResolvers<void>();
    holding = t.db.transaction().execute(async (tx) => {
      await run(tx, "lock table waiting_lanes in access exclusive mode");
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    await vi.waitFor(async () => expect(await isHanging()).toBe(true), WAIT);
    await clock.advance(9_999);
    expect(await status()).toBe(200);
    // What else wakes the worker meanwhile is no success.
    await run(t.db, "select pg_notify('parley_queued', '')");
    await clock.advance(1);
    expect(await status()).toBe(503);
    released.resolve();
    await vi.waitFor(async () => expect(await status()).toBe(200), WAIT);
  } finally {
    released.resolve();
    await holding;
    await health.close();
    await stop();
  }
});

describe("a worker that cannot hold another call well", () => {
  const readState = async (id: string) =>
    (await run<{ state: string }>(t.db, "select state from calls where id = $1", [id]))[0]?.state;

  test("leaves it in the queue, says why, and dials it when it can", async () => {
    // The workers of other tests.
    await run(t.db, "update workers set draining = true");
    const late = { recognitionMs: 3_000 };
    const meter = new HeadroomMeter({
      slotsMax: 10,
      cores: 2,
      monotonicMs: () => performance.now(),
      sources: {
        speech: async () => ({
          secondsOfSpeechPerSecond: 20,
          recognition: { processes: 1, lateMs: late.recognitionMs, requestedMs: 0, speechMs: 0, workMs: 0 },
          detectionLateMs: 0,
        }),
        conversationLateMs: () => 0,
        voiceLateMs: async () => 0,
        naturalVoices: async () => null,
        workerLateMs: () => 0,
        busyCores: () => null,
      },
    });
    await meter.measure({ held: 0, talking: [] });
    const { id, accountId, stop } = await openScene(t.db, meter);
    const row = async () => {
      const found = await findCall(t.db, accountId, "test", id);
      if (found === null) throw new Error("the call is gone");
      return found;
    };
    try {
      await vi.waitFor(async () => {
        const [worker] = (await listLiveWorkers(t.db)).filter(({ limited_by }) => limited_by !== null);
        expect(worker?.limited_by).toEqual({ because: "late", stage: "recognition", lateMs: 3_000 });
      }, WAIT);
      expect(await readState(id)).toBe("queued");
      const [call] = await toCallsWithWaiting(t.db, [await row()]);
      expect(call).toMatchObject({ phase: "queued", waiting: { reason: "capacity" } });
      expect(await readCapacity(t.db)).toMatchObject({
        workers: expect.arrayContaining([expect.objectContaining({ limit: "late_recognition" })]),
        waiting: expect.arrayContaining([{ reason: "capacity", calls: 1 }]),
      });
      late.recognitionMs = 0;
      await vi.waitFor(async () => expect(await readState(id)).not.toBe("queued"), WAIT);
      expect((await toCallsWithWaiting(t.db, [await row()]))[0]?.waiting?.reason).not.toBe("capacity");
    } finally {
      await stop();
    }
  });
});
