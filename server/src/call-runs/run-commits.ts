import { explainLegEnd } from "@parley/telephony/explain-leg-end";
import type { CallRow } from "../calls/call-record.ts";
import { recordCallEvent } from "../calls/record-event.ts";
import { type Database, inTransaction } from "../database/database.ts";
import { endCall } from "./end-call.ts";
import { isWrittenAhead, setRinging, setTalking, writeAhead } from "./progress-store.ts";
import type { LegEnd, Verdict } from "./run-machine.ts";
import { closeRun, freeLaneSlot, LeaseLost, lockOwnCall, requeueCall } from "./run-store.ts";

/**
 * What a run writes down at each step, each in one transaction. All can be repeated: when the reply to an earlier
 * try was lost, the repetition finds it done. All throw LeaseLost when the call is no longer this run's.
 */

/** False when a hang-up was asked for before anything was dialed. */
export function commitWriteAhead(db: Database, call: CallRow, carrier: string, dialId: string): Promise<boolean> {
  const attempt = { callId: call.id, fence: call.fence, carrier, dialId };
  return inTransaction(db, async (tx) => {
    const row = await writeAhead(tx, attempt);
    if (row) {
      await recordCallEvent(tx, row, "call.dialing", { carrier });
      return true;
    }
    await lockOwnCall(tx, call.id, call.fence);
    return isWrittenAhead(tx, attempt);
  });
}

export function commitRinging(db: Database, call: CallRow): Promise<void> {
  return inTransaction(db, async (tx) => {
    const row = await setRinging(tx, call.id, call.fence);
    if (row) await recordCallEvent(tx, row, "call.ringing");
    else await lockOwnCall(tx, call.id, call.fence);
  });
}

export function commitTalking(db: Database, call: CallRow, agoMs: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    const row = await setTalking(tx, call.id, call.fence, agoMs);
    if (row) await recordCallEvent(tx, row, "call.in_progress");
    else await lockOwnCall(tx, call.id, call.fence);
  });
}

/** Gives a claim back: nothing was dialed. */
export function commitRequeue(db: Database, call: CallRow): Promise<void> {
  return inTransaction(db, async (tx) => {
    const row = await requeueCall(tx, call.id, call.fence);
    if (!row) return;
    await closeRun(tx, call.id, call.fence, "requeued");
    await freeLaneSlot(tx, call);
  });
}

export function commitEnd(
  db: Database,
  call: CallRow,
  carrierName: string,
  verdict: Verdict,
  leg: LegEnd | null,
  talkedMs: number | null,
  agoMs: number,
): Promise<void> {
  const carrier = leg
    ? { name: carrierName, code: leg.code, reason: leg.reason, explanation: explain(verdict, leg) }
    : null;
  return inTransaction(db, async (tx) => {
    try {
      const locked = await lockOwnCall(tx, call.id, call.fence);
      await endCall(tx, locked, { ...verdict, carrier, talkedMs, agoMs });
    } catch (error) {
      // Ended already: by an earlier try of ours, or by whoever took the call over. Either way it is final.
      if (!(error instanceof LeaseLost)) throw error;
    }
  });
}

/** A call we gave up ringing was canceled as far as the carrier knows; to people it is that nobody answered. */
function explain(verdict: Verdict, leg: LegEnd): string {
  return verdict.reason === "no_answer" ? explainLegEnd("no_answer", null) : explainLegEnd(leg.cause, leg.code);
}
