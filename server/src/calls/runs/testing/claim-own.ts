import type { Database } from "../../../platform/database/database.ts";
import type { CallRow } from "../../call-record.ts";
import { claimCalls } from "../worker/worker.ts";

/** Claims the one call that waits. Throws when it is another one: then something else is going on in the database. */
export async function claimOwn(db: Database, workerId: string, callId: string): Promise<CallRow> {
  const [claimed] = await claimCalls(db, workerId, 1);
  if (claimed?.call.id !== callId) throw new Error(`not ${callId} was claimed, but ${claimed?.call.id ?? "nothing"}`);
  return claimed.call;
}
