import { type Database, inTransaction } from "../../platform/database/database.ts";
import { endUnclaimed } from "./end.ts";
import { findStaleQueued, lockStaleQueued } from "./lease/lease-store.ts";

const EXPIRED_MAX = 500;

/** Fails calls that waited in the queue for more than a day. Returns how many. */
export async function expireCalls(db: Database): Promise<number> {
  let expired = 0;
  for (const callId of await findStaleQueued(db, EXPIRED_MAX)) {
    await inTransaction(db, async (tx) => {
      const call = await lockStaleQueued(tx, callId);
      if (!call) return;
      await endUnclaimed(tx, call, "expired", "service");
      expired += 1;
    });
  }
  return expired;
}
