import type { Mode } from "@parley/contract/shared-fields";
import type { Database, Tx } from "../platform/database/database.ts";
import type { CallRow } from "./call-record.ts";
import { findCall, lockCall } from "./call-store.ts";
import { callNotFound } from "./hangup-call.ts";

/** The account's call in this mode. Throws `call_not_found` for any other id, whether somebody else has it or nobody. */
export async function requireCall(
  db: Database,
  { accountId, mode }: { readonly accountId: string; readonly mode: Mode },
  id: string,
): Promise<CallRow> {
  const call = await findCall(db, accountId, mode, id);
  if (!call) throw callNotFound();
  return call;
}

/** The same, locked until the transaction ends. */
export async function requireLockedCall(
  tx: Tx,
  { accountId, mode }: { readonly accountId: string; readonly mode: Mode },
  id: string,
): Promise<CallRow> {
  const call = await lockCall(tx, accountId, mode, id);
  if (!call) throw callNotFound();
  return call;
}
