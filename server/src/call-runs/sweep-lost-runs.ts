import { makeId } from "@parley/contract/ids";
import type { Carrier } from "@parley/telephony/carrier";
import { type Database, inTransaction } from "../database/database.ts";
import type { Log } from "../telemetry/log.ts";
import { endCall } from "./end-call.ts";
import {
  closeRun,
  type ExpiredRun,
  findExpiredRuns,
  freeLaneSlot,
  insertRun,
  LeaseLost,
  lockExpired,
  lockOwnCall,
  readLostAttempt,
  requeueCall,
  takeOver,
} from "./run-store.ts";

export interface SweepDeps {
  readonly db: Database;
  readonly workerId: string;
  readonly carrier: Pick<Carrier, "name" | "endOrphan">;
  readonly log: Log;
  /** Nobody sweeps until so long after the database came up. */
  readonly quietSeconds: number;
}

const BATCH = 50;
const ORPHAN_WAIT_MS = 5000;

/**
 * Finds calls whose worker is gone. What was only claimed goes back to the queue; what was dialed is ended at the
 * carrier and is final: it is never dialed again.
 */
export async function sweepLostRuns(deps: SweepDeps): Promise<number> {
  const expired = await findExpiredRuns(deps.db, deps.quietSeconds, BATCH);
  let swept = 0;
  for (const run of expired) {
    if (await sweepRun(deps, run)) swept += 1;
  }
  return swept;
}

async function sweepRun(deps: SweepDeps, expired: ExpiredRun): Promise<boolean> {
  const { db, workerId, log } = deps;
  const mine = await inTransaction(db, async (tx) => {
    const call = await lockExpired(tx, expired);
    if (!call) return null;
    if (call.state === "claimed") {
      await requeueCall(tx, call.id, call.fence);
      await closeRun(tx, call.id, call.fence, "lease_expired");
      await freeLaneSlot(tx, call);
      log.warn({ callId: call.id }, "a claimed call went back to the queue; its worker is gone");
      return null;
    }
    const lost = await readLostAttempt(tx, call.id);
    await closeRun(tx, call.id, call.fence, "worker_lost");
    const taken = await takeOver(tx, call);
    await insertRun(tx, makeId("run"), taken, workerId);
    return { call: taken, lost };
  });
  if (!mine) return false;
  const { call, lost } = mine;
  if (lost.dial_id) await endAtCarrier(deps, call.id, lost.dial_id);
  try {
    await inTransaction(db, async (tx) => {
      const locked = await lockOwnCall(tx, call.id, call.fence);
      const talkedMs = call.answered_at ? Math.max(0, lost.talked_ms ?? 0) : null;
      await endCall(tx, locked, {
        reason: "worker_lost",
        by: "service",
        isOrderly: false,
        carrier: call.carrier,
        talkedMs,
        agoMs: 0,
      });
    });
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
  log.warn({ callId: call.id }, "a call was ended for its lost worker");
  return true;
}

/** The callee must not be left in silence; but a carrier that does not answer must not keep the call open either. */
async function endAtCarrier(deps: SweepDeps, callId: string, dialId: string): Promise<void> {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), ORPHAN_WAIT_MS);
  try {
    const confirmed = await Promise.race([deps.carrier.endOrphan({ callId, dialId }), timeout.promise]);
    if (!confirmed) deps.log.warn({ callId, dialId }, "the carrier did not confirm that a lost leg is gone");
  } catch (error) {
    deps.log.warn({ callId, dialId, error }, "a lost leg could not be ended at the carrier");
  } finally {
    clearTimeout(timer);
  }
}
