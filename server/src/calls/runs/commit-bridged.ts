import { findRate } from "../../accounts/credits/find-rate.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { setBridged } from "./progress-store.ts";
import { lockOwnCall } from "./run-store.ts";

/**
 * Writes down that the callee talks with somebody else over a second leg, and what a minute of that costs. A call that
 * costs nothing goes on costing nothing. Throws LeaseLost when the call is no longer this run's.
 */
export function commitBridged(db: Database, call: CallRow, to: string, talkedMs: number): Promise<CallRow> {
  return inTransaction(db, async (tx) => {
    const locked = await lockOwnCall(tx, call.id, call.fence);
    const perMinuteMicros = locked.mode === "live" ? (await findRate(tx, to, locked.engine)).routePerMinuteMicros : 0n;
    const afterSeconds = Math.ceil(talkedMs / 1000);
    return (await setBridged(tx, locked, { perMinuteMicros, afterSeconds })) ?? locked;
  });
}
