import { makeId } from "@parley/contract/ids";
import type { Carrier } from "@parley/telephony/carrier";
import { systemClock } from "@parley/time/clock";
import { within } from "@parley/time/within";
import pLimit, { type LimitFunction } from "p-limit";
import { type Database, inTransaction } from "../../../platform/database/database.ts";
import type { Log } from "../../../platform/telemetry/log.ts";
import type { CallRow } from "../../call-record.ts";
import { recordIncident } from "../../incidents/incidents.ts";
import { type OpenAttempt, readOpenAttempts, readTalkedMs } from "../dialing/attempt-store.ts";
import { endCall } from "../end.ts";
import {
  closeRun,
  type ExpiredRun,
  findLostRuns,
  freeLaneSlot,
  insertRun,
  LeaseLost,
  lockLost,
  lockOwnCall,
  recordHeartbeat,
  requeueCall,
  takeOver,
} from "../lease/lease-store.ts";

export interface RecoveryDeps {
  readonly db: Database;
  readonly workerId: string;
  /** The carrier of that name; null when this process does not know it. */
  findCarrier(name: string): Pick<Carrier, "endOrphan"> | null;
  readonly log: Log;
  /**
   * Runs with an expired lease are not recovered until this long after the database came up; null while that is unknown.
   * Runs whose worker is known to be dead are recovered at any time.
   */
  readonly quietSeconds: number | null;
}

// All these legs are ended at the same time: one that is never confirmed must not leave the next callee waiting in
// silence.
const BATCH = 200;
/** How many of them use the database concurrently, which others need too. */
export const RECOVERED_AT_ONCE = 3;
const ORPHAN_WAIT_MS = 5000;

/**
 * Finds calls whose worker is gone. A call that was only claimed returns to the queue; a call that was dialed is ended
 * at the carrier for good: it is never dialed again.
 */
export async function recoverLostCalls(deps: RecoveryDeps): Promise<number> {
  await recordHeartbeat(deps.db);
  const expired = await findLostRuns(deps.db, deps.quietSeconds, BATCH);
  const database = pLimit(RECOVERED_AT_ONCE);
  const ended = await Promise.allSettled(expired.map((run) => recoverCall(deps, database, run)));
  const failed = ended.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
  return ended.filter((outcome) => outcome.status === "fulfilled" && outcome.value).length;
}

interface LostCall {
  readonly call: CallRow;
  readonly attempts: readonly OpenAttempt[];
  readonly talkedMs: number | null;
}

async function recoverCall(deps: RecoveryDeps, database: LimitFunction, expired: ExpiredRun): Promise<boolean> {
  const mine = await database(() => takeLostCall(deps, expired));
  if (!mine) return false;
  const gone = await Promise.all(mine.attempts.map((attempt) => endAtCarrier(deps, mine.call.id, attempt)));
  await database(() => endLostCall(deps, mine, gone.every(Boolean)));
  deps.log.warn({ callId: mine.call.id }, "call ended after its worker was lost");
  return true;
}

/** Null when there is nothing left to do: the worker came back, or nothing was dialed and the call waits again. */
function takeLostCall(
  { db, workerId, log, quietSeconds }: RecoveryDeps,
  expired: ExpiredRun,
): Promise<LostCall | null> {
  return inTransaction(db, async (tx) => {
    const call = await lockLost(tx, expired, quietSeconds);
    if (!call) return null;
    if (call.state === "claimed") {
      await requeueCall(tx, call.id, call.fence);
      await closeRun(tx, call.id, call.fence, "lease_expired");
      await freeLaneSlot(tx, call);
      log.warn({ callId: call.id }, "claimed call requeued after its worker was lost");
      return null;
    }
    const attempts = await readOpenAttempts(tx, call.id);
    const talkedMs = await readTalkedMs(tx, call.id);
    await closeRun(tx, call.id, call.fence, "worker_lost");
    const taken = await takeOver(tx, call);
    await insertRun(tx, makeId("run"), taken, workerId);
    return { call: taken, attempts, talkedMs };
  });
}

async function endLostCall(
  { db }: RecoveryDeps,
  { call, talkedMs: knownMs }: LostCall,
  isLegGone: boolean,
): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      const lost = {
        what: "worker_lost",
        reason: "the process that conducted the call stopped responding",
        agoMs: 0,
      } as const;
      await recordIncident(tx, call, lost);
      const locked = await lockOwnCall(tx, call.id, call.fence);
      const talkedMs = call.answered_at ? Math.max(0, knownMs ?? 0) : null;
      await endCall(tx, locked, {
        reason: "worker_lost",
        by: "service",
        isOrderly: false,
        carrier: call.carrier,
        talkedMs,
        agoMs: 0,
        isLegGone,
      });
    });
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
}

/** The callee must not be left in silence, but a carrier that does not answer must not keep the call open either. */
async function endAtCarrier(deps: RecoveryDeps, callId: string, attempt: OpenAttempt): Promise<boolean> {
  const { dial_id: dialId, carrier: name, trunk_id: trunkId, record } = attempt;
  const carrier = deps.findCarrier(name);
  try {
    const ending = carrier?.endOrphan({ callId, dialId, trunkId, record }) ?? Promise.resolve(false);
    const isGone = await within(systemClock, ORPHAN_WAIT_MS, ending, () => false);
    if (!isGone) deps.log.warn({ callId, dialId }, "carrier did not confirm the end of an orphaned leg");
    return isGone;
  } catch (error) {
    deps.log.warn({ callId, dialId, error }, "orphaned leg could not be ended");
    return false;
  }
}
