/**
 * A naive worker: it takes a call under a lease, dials, and dials again when it finds an expired lease. It exists to be
 * caught: the check must see that callees are phoned twice.
 *
 *     node e2e/chaos/naive-worker.ts DATABASE_URL NETWORK_HOST NETWORK_PORT SLOTS
 */
import { makeId } from "@parley/contract/ids";
import type { CallRow } from "@parley/server/calls/call-record";
import { endCall } from "@parley/server/calls/runs/end";
import {
  closeRun,
  findLostRuns,
  insertRun,
  lockLost,
  lockOwnCall,
  recordHeartbeat,
  registerWorker,
  renewLeases,
  takeOver,
} from "@parley/server/calls/runs/lease/lease-store";
import { claimCalls } from "@parley/server/calls/runs/worker/worker";
import { inTransaction, openDatabase, run } from "@parley/server/platform/database/database";
import { connectSimulatedNetwork } from "@parley/telephony/simulated-network/remote-simulated-network";
import { systemClock } from "@parley/time/clock";

const [url = "", host = "", port = "", slots = ""] = process.argv.slice(2);
const LEASE_SECONDS = 2;
const ROUND_MS = 300;
const RING_MAX_MS = 5_000;

const db = openDatabase({ url, connectionsMax: 10, applicationName: "naive", onIdleError: () => undefined });
const carrier = connectSimulatedNetwork({ host, port: Number(port), clock: systemClock });
const workerId = makeId("worker");
const mine = new Set<string>();
await registerWorker(db, workerId, Number(slots));
console.log("ready");

async function conduct(call: CallRow): Promise<void> {
  mine.add(call.id);
  const dialId = makeId("dial");
  const leg = await carrier.place({ callId: call.id, dialId, to: call.phone_number, from: null });
  let answeredAtMs: number | null = null;
  const ended = Promise.withResolvers<void>();
  leg.onEvent((event) => {
    if (event.type === "answered") answeredAtMs = performance.now();
    if (event.type === "ended") ended.resolve();
  });
  const timer = setTimeout(() => void leg.hangup(), RING_MAX_MS);
  await ended.promise;
  clearTimeout(timer);
  const talkedMs = answeredAtMs === null ? null : performance.now() - answeredAtMs;
  await inTransaction(db, async (tx) => {
    const locked = await lockOwnCall(tx, call.id, call.fence);
    const reason = talkedMs === null ? "no_answer" : "callee_hangup";
    await endCall(tx, locked, {
      reason,
      by: "callee",
      isOrderly: true,
      carrier: null,
      talkedMs,
      agoMs: 0,
      isLegGone: true,
    });
  });
  mine.delete(call.id);
}

async function takeOverExpired(): Promise<CallRow[]> {
  const taken: CallRow[] = [];
  await recordHeartbeat(db);
  for (const expired of await findLostRuns(db, 0, 50)) {
    await inTransaction(db, async (tx) => {
      const call = await lockLost(tx, expired, 0);
      if (!call) return;
      await closeRun(tx, call.id, call.fence, "lease_expired");
      const again = await takeOver(tx, call);
      await insertRun(tx, makeId("run"), again, workerId);
      taken.push(again);
    });
  }
  return taken;
}

async function round(): Promise<void> {
  await renewLeases(db, workerId, () => ({ callIds: [...mine], talkingIds: [...mine] }));
  const claimed = (await claimCalls(db, workerId, 20)).map(({ call }) => call);
  const found = [...claimed, ...(await takeOverExpired())];
  await run(
    db,
    `update call_runs set lease_expires_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
     where worker_id = $1 and ended_at is null`,
    [workerId],
  );
  for (const call of found) void conduct(call).catch((error: unknown) => console.error(error));
}

for (;;) {
  await round().catch((error: unknown) => console.error(error));
  await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
}
