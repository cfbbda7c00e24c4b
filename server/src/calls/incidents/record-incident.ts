import type { Incident } from "@parley/contract/incidents";
import type { Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { recordCallEvent } from "../event-store.ts";
import { lockIncidents, setIncidents } from "./incident-store.ts";
import { concludeIncidents, type IncidentReport, mergeIncident } from "./merge-incident.ts";

/**
 * Adds a failure of ours to the record of a call, and to its timeline where it is the first of its kind. Also after the
 * end, which a recording outlives. Null when the call is not this run's any more.
 */
export async function recordIncident(
  tx: Tx,
  call: Pick<CallRow, "id" | "fence">,
  report: IncidentReport,
): Promise<CallRow | null> {
  const before = await lockIncidents(tx, call.id, call.fence, report.agoMs);
  if (before === null) return null;
  const { incidents, added } = mergeIncident(before.incidents, report, before.at);
  const row = await setIncidents(tx, call.id, incidents, added === null ? 0 : 1);
  if (added !== null) await recordCallEvent(tx, row, "call.incident", eventOf(added));
  return row;
}

/** Says on a call that ends because of us that it costs nothing. There is at least the given incident then. */
export async function recordNotCharged(tx: Tx, call: CallRow, otherwise: IncidentReport): Promise<void> {
  const row = call.incidents.length > 0 ? call : await recordIncident(tx, call, otherwise);
  if (row === null) return;
  await setIncidents(tx, row.id, concludeIncidents(row.incidents, "The call was not charged."), 0);
}

function eventOf({ what, reason, effect }: Incident): Record<string, unknown> {
  return { what, reason, effect };
}
