import { freeTrunkSlot, takeTrunkSlot, waitForTrunkSlot } from "../../../phone/trunks/slot-store.ts";
import { type Database, inTransaction, type Tx } from "../../../platform/database/database.ts";
import type { CallRow } from "../../call-record.ts";
import { recordCallEvent } from "../../event-store.ts";
import { LeaseLost, lockOwnCall } from "../lease/lease-store.ts";
import { setDialing, setDialingAgain } from "../lease/progress-store.ts";
import {
  type Attempt,
  type AttemptEnd,
  closeAttempt,
  closeForgottenAttempts,
  commitFirstAttempt,
  hasOpenAttempt,
  insertAttempt,
  isAttemptWritten,
  readOpenAttempts,
  setAttemptRecord,
} from "./attempt-store.ts";

export type AttemptDecision =
  /** Committed. The trunk's rate limit allows the request this many milliseconds after the commit. */
  | { readonly decision: "written"; readonly afterMs: number }
  /** The trunk has no free channel, or its rate limit has no room soon. Nothing was written. */
  | { readonly decision: "full" }
  /** A hang-up was requested. Nothing was written. */
  | { readonly decision: "refused" };

// A call is `dialing` while it waits for its turn on a trunk, and that state is bounded in time: no further ahead than
// this.
const AHEAD_MAX_MS = 1000;

/** Thrown to roll back the transaction when the trunk turns out to be full. */
class TrunkFull extends Error {
  override readonly name = "TrunkFull";
}

/**
 * Commits an attempt before its request leaves. The first one turns the call from claimed to dialing; a further one
 * requires that all earlier ones have ended, so that no two phones ring for one call. Throws LeaseLost when the call is
 * no longer this run's. Repeating it after a lost reply finds it written.
 */
export async function commitAttempt(
  db: Database,
  call: CallRow,
  attempt: Omit<Attempt, "callId" | "fence">,
): Promise<AttemptDecision> {
  // A trunk is asked for a channel under the lock of the call; the simulated network has no limits.
  if (attempt.trunkId === null && call.state === "claimed") {
    const isWritten = await commitFirstAttempt(db, { ...attempt, callId: call.id, fence: call.fence });
    if (isWritten) return { decision: "written", afterMs: 0 };
  }
  return commit(db, call, attempt, writeAttempt);
}

async function commit(
  db: Database,
  call: CallRow,
  attempt: Omit<Attempt, "callId" | "fence">,
  write: (tx: Tx, whole: Attempt) => Promise<AttemptDecision>,
): Promise<AttemptDecision> {
  const whole: Attempt = { ...attempt, callId: call.id, fence: call.fence };
  try {
    return await inTransaction(db, (tx) => write(tx, whole));
  } catch (error) {
    if (!(error instanceof TrunkFull)) throw error;
    if (attempt.trunkId !== null) await waitForTrunkSlot(db, attempt.trunkId, call.account_id);
    return { decision: "full" };
  }
}

async function writeAttempt(tx: Tx, attempt: Attempt): Promise<AttemptDecision> {
  const { callId, fence, carrier, trunkId } = attempt;
  const first = await setDialing(tx, callId, fence, carrier, trunkId);
  if (!first) {
    await lockOwnCall(tx, callId, fence);
    // Its turn is no longer known, but the latest it can have been is.
    if (await isAttemptWritten(tx, attempt))
      return { decision: "written", afterMs: attempt.trunkId === null ? 0 : AHEAD_MAX_MS };
  }
  const row = first ?? (await dialAgain(tx, attempt));
  if (!row) return { decision: "refused" };
  const afterMs = attempt.trunkId === null ? 0 : await takeSlot(tx, attempt.trunkId, row.account_id);
  const inserted = insertAttempt(tx, attempt);
  if (first) await Promise.all([inserted, recordCallEvent(tx, row, "call.dialing", { carrier, network: row.network })]);
  else await recordCallEvent(tx, row, "call.rerouted", { carrier, network: row.network, attempt: await inserted });
  return { decision: "written", afterMs };
}

async function dialAgain(tx: Tx, { callId, fence, trunkId }: Attempt): Promise<CallRow | null> {
  if (await hasOpenAttempt(tx, callId)) throw new Error(`an attempt of call ${callId} is still under way`);
  return setDialingAgain(tx, callId, fence, trunkId);
}

/** A callee who is being transferred waits on the line and takes no turn in the queue of a trunk. */
async function takeSlot(tx: Tx, trunkId: string, accountId: string | null): Promise<number> {
  const slot = await takeTrunkSlot(tx, trunkId, accountId);
  if (slot === "full" || slot.afterMs > AHEAD_MAX_MS) throw new TrunkFull(`trunk ${trunkId} is full`);
  return slot.afterMs;
}

/**
 * Commits an attempt to reach a third party, beside the callee's own leg. Whatever ends the call ends both. Throws
 * LeaseLost when the call is no longer this run's. Repeating it after a lost reply finds it written.
 */
export function commitBridgeAttempt(
  db: Database,
  call: CallRow,
  attempt: Omit<Attempt, "callId" | "fence">,
): Promise<AttemptDecision> {
  return commit(db, call, attempt, writeBridgeAttempt);
}

async function writeBridgeAttempt(tx: Tx, attempt: Attempt): Promise<AttemptDecision> {
  const call = await lockOwnCall(tx, attempt.callId, attempt.fence);
  if (await isAttemptWritten(tx, attempt))
    return { decision: "written", afterMs: attempt.trunkId === null ? 0 : AHEAD_MAX_MS };
  if (call.state !== "talking" || call.hangup_requested_at !== null) return { decision: "refused" };
  // One is the callee's own.
  if ((await readOpenAttempts(tx, attempt.callId)).length > 1)
    throw new Error(`another attempt of call ${attempt.callId} is still under way`);
  const afterMs = attempt.trunkId === null ? 0 : await takeSlot(tx, attempt.trunkId, null);
  await insertAttempt(tx, attempt, "transfer");
  return { decision: "written", afterMs };
}

/** Commits what another worker would need to hang up. The answer is acknowledged only after this. */
export async function commitAnswer(db: Database, call: CallRow, dialId: string, record: object | null): Promise<void> {
  const isOurs = await setAttemptRecord(db, call.fence, dialId, record);
  if (!isOurs) throw new LeaseLost(`call ${call.id} is not held by fence ${call.fence}`);
}

/** Commits the end of an attempt and frees its trunk's channel. A second commit changes nothing. */
export function commitAttemptEnd(db: Database, dialId: string, end: AttemptEnd): Promise<void> {
  return inTransaction(db, async (tx) => {
    const trunkId = await closeAttempt(tx, dialId, end);
    if (trunkId !== null) await freeTrunkSlot(tx, trunkId);
  });
}

// RFC 4028: the session timer of trunks whose operator sets no other.
const SESSION_TIMER_SECONDS = 180;
const BATCH = 100;

/** Frees the channels of legs whose end was never confirmed, once the network must have dropped them. */
export function freeForgottenChannels(db: Database): Promise<number> {
  return inTransaction(db, async (tx) => {
    const trunkIds = await closeForgottenAttempts(tx, SESSION_TIMER_SECONDS, BATCH);
    for (const trunkId of trunkIds) await freeTrunkSlot(tx, trunkId);
    return trunkIds.length;
  });
}
