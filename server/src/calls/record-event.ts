import type { CallEventType } from "@parley/contract/call-events";
import type { Call } from "@parley/contract/calls";
import type { Tx } from "../platform/database/database.ts";
import type { CallRow } from "./call-record.ts";
import { insertCallEvent } from "./event-store.ts";

/** Adds an event to a call's timeline in the transaction that made the change, so that neither exists without the other. */
export function recordCallEvent(
  tx: Tx,
  row: CallRow,
  type: CallEventType,
  data: Record<string, unknown> = {},
  call?: Call,
): Promise<void> {
  return insertCallEvent(tx, row, type, data, call);
}
