import { type Database, run } from "../../../platform/database/database.ts";

/** The worker that conducts a call, and its internal URL. */
export interface CallHolder {
  readonly worker_id: string;
  readonly internal_url: string | null;
  /** Whether its lease is valid. */
  readonly is_alive: boolean;
}

/** Null when no worker conducts the call now. */
export async function findHolder(db: Database, callId: string): Promise<CallHolder | null> {
  const [row] = await run<CallHolder>(
    db,
    `/* find_holder */ select w.id as worker_id, w.internal_url, r.lease_expires_at > clock_timestamp() as is_alive
     from call_runs r join workers w on w.id = r.worker_id
     where r.call_id = $1 and r.ended_at is null`,
    [callId],
  );
  return row ?? null;
}
