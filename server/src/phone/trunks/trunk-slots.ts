import type { Database, Tx } from "../../platform/database/database.ts";
import { freeSlot, takeSlot, wantSlot } from "./slot-store.ts";

/**
 * Counts one channel of a trunk as taken and hands out the time at which its call may be sent. It belongs into the
 * transaction that inserts the attempt with this `trunk_id`: the count and the open attempts of a trunk are then always
 * the same number, over all workers. `full` when no channel is free, when an account that got one longer ago waits for it,
 * or when the trunk was removed meanwhile. Without an account nobody's turn is looked at.
 */
export async function takeTrunkSlot(
  tx: Tx,
  trunkId: string,
  accountId: string | null = null,
): Promise<{ readonly afterMs: number } | "full"> {
  const afterMs = await takeSlot(tx, trunkId, accountId);
  return afterMs === null ? "full" : { afterMs };
}

/**
 * Notes that an account found a trunk full and asks again soon, so that those with many calls let it go first. Not in the
 * transaction that found it full: that one is taken back.
 */
export function waitForTrunkSlot(db: Database, trunkId: string, accountId: string): Promise<void> {
  return wantSlot(db, trunkId, accountId);
}

/**
 * Counts the channel as free again. It belongs into the transaction that sets the attempt's `ended_at`, once for each row
 * whose `ended_at` that very statement changed from null: so a channel is freed once, whoever comes second.
 */
export function freeTrunkSlot(tx: Tx, trunkId: string): Promise<void> {
  return freeSlot(tx, trunkId);
}
