import type { Tx } from "../platform/database/database.ts";
import { redactReportBodies } from "./event-store.ts";

/** What a report repeats of a call that somebody may want erased, and what stands there instead. */
const EMPTY = { variables: {}, collected: null, analysis: null };

/** Takes fields of a call out of the reports of its events, sent or not: a report that is sent again lacks them too. */
export function redactReports(tx: Tx, callId: string, fields: readonly (keyof typeof EMPTY)[]): Promise<void> {
  return redactReportBodies(tx, callId, Object.fromEntries(fields.map((field) => [field, EMPTY[field]])));
}
