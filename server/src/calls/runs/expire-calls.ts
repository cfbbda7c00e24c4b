import { type Database, inTransaction } from "../../platform/database/database.ts";
import { endUnclaimed } from "./end-call.ts";
import { findStaleQueued, lockStaleQueued } from "./run-store.ts";

const BATCH = 500;

/** Fails calls that waited in the queue for more than a day. Returns how many. */
export async function expireCalls(db: Database): Promise<number> {
  let expired = 0;
  for (const callId of await findStaleQueued(db, BATCH)) {
    await inTransaction(db, async (tx) => {
      const call = await lockStaleQueued(tx, callId);
      if (!call) return;
      await endUnclaimed(tx, call, "expired", "service");
      expired += 1;
    });
  }
  return expired;
}
