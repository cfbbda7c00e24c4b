import { makeId } from "@parley/contract/ids";
import type { Carrier } from "@parley/telephony/carrier";
import { type Database, inTransaction } from "../database/database.ts";
import type { Log } from "../telemetry/log.ts";
import { type OpenAttempt, readOpenAttempts, readTalkedMs } from "./attempt-store.ts";
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
  requeueCall,
  takeOver,
} from "./run-store.ts";

export interface SweepDeps {
  readonly db: Database;
  readonly workerId: string;
  /** The carrier that an attempt names; null when this process knows none of that name. */
  findCarrier(name: string): Pick<Carrier, "endOrphan"> | null;
  readonly log: Log;
  /** Nobody sweeps until so long after the database came up. */
  readonly quietSeconds: number;
}

const BATCH = 50;
// So many legs are ended at the same time: one that nobody confirms must not leave the next callee waiting in silence.
const AT_ONCE = 10;
const ORPHAN_WAIT_MS = 5000;

/**
 * Finds calls whose worker is gone. What was only claimed goes back to the queue; what was dialed is ended at the
 * carrier and is final: it is never dialed again.
 */
export async function sweepLostRuns(deps: SweepDeps): Promise<number> {
  const expired = await findExpiredRuns(deps.db, deps.quietSeconds, BATCH);
  let swept = 0;
  for (let first = 0; first < expired.length; first += AT_ONCE) {
    const some = expired.slice(first, first + AT_ONCE);
    const ended = await Promise.allSettled(some.map((run) => sweepRun(deps, run)));
    swept += ended.filter((outcome) => outcome.status === "fulfilled" && outcome.value).length;
    const failed = ended.find((outcome) => outcome.status === "rejected");
    if (failed) throw failed.reason;
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
    const attempts = await readOpenAttempts(tx, call.id);
    const talkedMs = await readTalkedMs(tx, call.id);
    await closeRun(tx, call.id, call.fence, "worker_lost");
    const taken = await takeOver(tx, call);
    await insertRun(tx, makeId("run"), taken, workerId);
    return { call: taken, attempts, talkedMs };
  });
  if (!mine) return false;
  const { call, attempts } = mine;
  const gone = await Promise.all(attempts.map((attempt) => endAtCarrier(deps, call.id, attempt)));
  try {
    await inTransaction(db, async (tx) => {
      const locked = await lockOwnCall(tx, call.id, call.fence);
      const talkedMs = call.answered_at ? Math.max(0, mine.talkedMs ?? 0) : null;
      await endCall(tx, locked, {
        reason: "worker_lost",
        by: "service",
        isOrderly: false,
        carrier: call.carrier,
        talkedMs,
        agoMs: 0,
        isLegGone: gone.every(Boolean),
      });
    });
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
  log.warn({ callId: call.id }, "a call was ended for its lost worker");
  return true;
}

/** The callee must not be left in silence; but a carrier that does not answer must not keep the call open either. */
async function endAtCarrier(deps: SweepDeps, callId: string, attempt: OpenAttempt): Promise<boolean> {
  const { dial_id: dialId, carrier: name, trunk_id: trunkId, record } = attempt;
  const carrier = deps.findCarrier(name);
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), ORPHAN_WAIT_MS);
  try {
    const ending = carrier?.endOrphan({ callId, dialId, trunkId, record }) ?? false;
    const isGone = await Promise.race([ending, timeout.promise]);
    if (!isGone) deps.log.warn({ callId, dialId }, "the carrier did not confirm that a lost leg is gone");
    return isGone;
  } catch (error) {
    deps.log.warn({ callId, dialId, error }, "a lost leg could not be ended at the carrier");
    return false;
  } finally {
    clearTimeout(timer);
  }
}
