import { type Database, run } from "../../../platform/database/database.ts";

/** The worker that conducts a call, and where it is reached. */
export interface CallHolder {
  readonly worker_id: string;
  readonly internal_url: string | null;
  /** Whether it has been heard of in time. */
  readonly is_alive: boolean;
}

/** Null when nobody conducts the call now. */
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
