import type { CallAnalysis } from "@parley/contract/analysis";
import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";

/** The last node that a call reached; null when it reached none. */
export async function readLastNodeId(db: Database, callId: string): Promise<string | null> {
  const [row] = await run<{ node_id: string }>(
    db,
    `/* read_last_node */ select item->>'nodeId' as node_id from transcript_items
     where call_id = $1 and type = 'node' order by ordinal desc limit 1`,
    [callId],
  );
  return row?.node_id ?? null;
}

/** Stores the analysis of an ended call, and increments the event sequence for its event. */
export async function setAnalysis(tx: Tx, callId: string, analysis: CallAnalysis): Promise<CallRow> {
  const [row] = await run<CallRow>(
    tx,
    `/* set_analysis */ update calls set analysis = $2::jsonb, version = version + 1, event_sequence = event_sequence + 1
     where id = $1 and state = 'ended' returning *`,
    [callId, JSON.stringify(analysis)],
  );
  if (!row) throw new Error(`call ${callId} has not ended`);
  return row;
}
