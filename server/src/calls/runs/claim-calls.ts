import { type Database, inTransaction } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { claimInLane, pickLane } from "./run-store.ts";

export interface ClaimedCall {
  readonly call: CallRow;
  /** Calls per second are held by handing out send times: this one's turn comes in so many milliseconds. */
  readonly sendInMs: number;
}

// Claimed no further ahead than this, so that a lane's pace never parks calls in one worker.
const AHEAD_SECONDS = 1;

/**
 * Claims waiting calls of one lane for a worker, at most `slots`. The lane's row is locked first and read again under
 * the lock, so its limits are exact over all workers. An empty result means that no lane has anything to do now.
 */
export function claimCalls(db: Database, workerId: string, slots: number): Promise<ClaimedCall[]> {
  return inTransaction(db, async (tx) => {
    const lane = await pickLane(tx);
    if (!lane) return [];
    const withinPace = Math.max(1, Math.floor((AHEAD_SECONDS - lane.wait_ms / 1000) * lane.calls_per_second));
    const calls = await claimInLane(tx, lane, Math.min(slots, lane.free, withinPace), workerId);
    return calls.map((call, index) => ({ call, sendInMs: lane.wait_ms + (index * 1000) / lane.calls_per_second }));
  });
}
