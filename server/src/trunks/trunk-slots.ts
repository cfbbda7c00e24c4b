import type { Tx } from "../database/database.ts";
import { freeSlot, takeSlot } from "./slot-store.ts";

/**
 * Counts one channel of a trunk as taken and hands out the time at which its call may be sent. It belongs into the
 * transaction that inserts the attempt with this `trunk_id`: the count and the open attempts of a trunk are then always
 * the same number, over all workers. `full` when no channel is free, or when the trunk was removed meanwhile.
 */
export async function takeTrunkSlot(tx: Tx, trunkId: string): Promise<{ readonly afterMs: number } | "full"> {
  const afterMs = await takeSlot(tx, trunkId);
  return afterMs === null ? "full" : { afterMs };
}

/**
 * Counts the channel as free again. It belongs into the transaction that sets the attempt's `ended_at`, once for each row
 * whose `ended_at` that very statement changed from null: so a channel is freed once, whoever comes second.
 */
export function freeTrunkSlot(tx: Tx, trunkId: string): Promise<void> {
  return freeSlot(tx, trunkId);
}
