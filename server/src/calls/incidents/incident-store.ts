import type { Incident } from "@parley/contract/incidents";
import { run, type Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";

/** The incidents of a call that still belongs to this run, locked, and the time `agoMs` ago. Null when it does not. */
export async function lockIncidents(
  tx: Tx,
  callId: string,
  fence: bigint,
  agoMs: number,
): Promise<{ readonly incidents: readonly Incident[]; readonly at: Date } | null> {
  const [row] = await run<{ incidents: Incident[]; at: Date }>(
    tx,
    `/* lock_incidents */ select incidents, clock_timestamp() - make_interval(secs => $3 / 1000.0) as at
     from calls where id = $1 and fence = $2 for update`,
    [callId, fence, agoMs],
  );
  return row ?? null;
}

export async function setIncidents(
  tx: Tx,
  callId: string,
  incidents: readonly Incident[],
  events: 0 | 1,
): Promise<CallRow> {
  const [row] = await run<CallRow>(
    tx,
    `/* set_incidents */ update calls set incidents = $2::jsonb, version = version + 1, event_sequence = event_sequence + $3
     where id = $1 returning *`,
    [callId, JSON.stringify(incidents), events],
  );
  if (!row) throw new Error(`call ${callId} is gone`);
  return row;
}
