import type { Call } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import type { Mode } from "@parley/contract/shared-fields";
import type { Tx } from "../platform/database/database.ts";
import { type CallRow, toCall } from "./call-record.ts";
import { lockCall, requestHangup } from "./call-store.ts";
import { recordCallEvent } from "./record-event.ts";

export interface HangupCallDeps {
  /** Ends a call that no worker has claimed. */
  endUnclaimed(tx: Tx, call: CallRow): Promise<CallRow>;
}

/**
 * Hangs up: a call that still waits is canceled at once, a live one is ended by its worker, an ended one stays as it
 * is. The row is locked, so a worker that claims it at the same moment either comes first or finds it ended.
 */
export async function hangupCall(
  deps: HangupCallDeps,
  tx: Tx,
  accountId: string,
  mode: Mode,
  id: string,
): Promise<Call> {
  const call = await lockCall(tx, accountId, mode, id);
  if (!call) throw callNotFound();
  if (call.state === "queued") return toCall(await deps.endUnclaimed(tx, call));
  const asked = await requestHangup(tx, id);
  if (!asked) return toCall(call);
  await recordCallEvent(tx, asked, "call.hangup_requested");
  return toCall(asked);
}

export function callNotFound(): AppError {
  return new AppError("call_not_found", "The account has no such call in this mode.");
}
