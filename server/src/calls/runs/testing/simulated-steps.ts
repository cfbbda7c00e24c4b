import { makeId } from "@parley/contract/ids";
import type { Database } from "../../../platform/database/database.ts";
import type { CallRow } from "../../call-record.ts";
import { commitEnd } from "../commits.ts";
import { type AttemptDecision, commitAttempt } from "../dialing/attempts.ts";
import type { EndDecision } from "../machine.ts";

/** The steps of a run on the simulated network, without a network. */
export function writeAhead(db: Database, call: CallRow, dialId: string = makeId("dial")): Promise<AttemptDecision> {
  return commitAttempt(db, call, { carrier: "simulated", dialId, trunkId: null, record: null });
}

export function end(
  db: Database,
  call: CallRow,
  decision: EndDecision,
  talkedMs: number | null = null,
  lostMs = 0,
): Promise<void> {
  return commitEnd(db, call, {
    decision,
    carrierName: "simulated",
    leg: null,
    wasSent: true,
    talkedMs,
    lostMs,
    agoMs: 0,
  });
}
