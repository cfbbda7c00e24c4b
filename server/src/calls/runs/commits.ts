import type { CallEventType } from "@parley/contract/call-events";
import { explainLegEnd } from "@parley/telephony/explain-leg-end";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { recordCallEvent } from "../event-store.ts";
import { type IncidentReport, recordIncident } from "../incidents/incidents.ts";
import { type CallEnd, endCall } from "./end.ts";
import { closeRun, freeLaneSlot, LeaseLost, lockOwnCall, requeueCall } from "./lease/lease-store.ts";
import { countEvent, setRinging, setTalking } from "./lease/progress-store.ts";
import type { EndDecision, LegEnd } from "./machine.ts";

/**
 * What a run commits at each step, each in one transaction; attempts.ts does the same for attempts. All are safe to
 * repeat after a lost reply: the repetition finds it done. All throw LeaseLost when the call is no longer this run's.
 */

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

/** Returns a claimed call to the queue: nothing was dialed. */
export function commitRequeue(db: Database, call: CallRow): Promise<void> {
  return inTransaction(db, async (tx) => {
    const row = await requeueCall(tx, call.id, call.fence);
    if (!row) return;
    await closeRun(tx, call.id, call.fence, "requeued");
    await freeLaneSlot(tx, call);
  });
}

/** An event for the timeline. Repeated after a lost reply it may appear twice, which is harmless. */
export function commitNote(
  db: Database,
  call: CallRow,
  type: CallEventType,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const row = await countEvent(tx, call.id, call.fence);
    if (row) await recordCallEvent(tx, row, type, data);
    else await lockOwnCall(tx, call.id, call.fence);
  });
}

/** A failure of the service during the call. Repeated after a lost reply it may be counted twice. */
export function commitIncident(db: Database, call: CallRow, report: IncidentReport): Promise<void> {
  return inTransaction(db, async (tx) => {
    if ((await recordIncident(tx, call, report)) === null) await lockOwnCall(tx, call.id, call.fence);
  });
}

/** The end of a call, as its run saw it. */
interface RunEnd extends Pick<CallEnd, "talkedMs" | "lostMs" | "agoMs" | "quality"> {
  readonly decision: EndDecision;
  readonly carrierName: string;
  /** Null when the network never reported it, or when nothing was sent. */
  readonly leg: LegEnd | null;
  readonly wasSent: boolean;
}

export function commitEnd(db: Database, call: CallRow, end: RunEnd): Promise<void> {
  const { decision, leg, carrierName, wasSent, ...rest } = end;
  const carrier = leg
    ? { name: carrierName, code: leg.code, reason: leg.reason, explanation: explain(decision, leg) }
    : null;
  const isLegGone = !wasSent || (leg !== null && leg.cause !== "lost");
  return inTransaction(db, async (tx) => {
    try {
      const locked = await lockOwnCall(tx, call.id, call.fence);
      await endCall(tx, locked, { ...rest, ...decision, carrier, isLegGone });
    } catch (error) {
      // Already ended, by an earlier attempt of this worker or by the worker that took over. Either way it is final.
      if (!(error instanceof LeaseLost)) throw error;
    }
  });
}

/**
 * A call that we stopped ringing was canceled as far as the carrier knows; to people it means that the callee did not
 * answer.
 */
function explain(decision: EndDecision, leg: LegEnd): string {
  return explainLegEnd(decision.reason === "no_answer" ? { cause: "no_answer", code: null } : leg);
}
