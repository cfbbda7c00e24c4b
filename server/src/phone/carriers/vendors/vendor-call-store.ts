import { type Database, run } from "../../../platform/database/database.ts";

/** The worker that placed the calls of a carrier. */
export interface VendorWorker {
  readonly internal_url: string | null;
  /** Whether it holds a call with a valid lease: then it lives, or died a moment ago. */
  readonly holds_calls: boolean;
}

export async function findVendorWorker(db: Database, workerId: string): Promise<VendorWorker | null> {
  const [row] = await run<VendorWorker>(
    db,
    `/* find_vendor_worker */ select w.internal_url, exists (
       select 1 from call_runs r
       where r.worker_id = w.id and r.ended_at is null and r.lease_expires_at > clock_timestamp()
     ) as holds_calls
     from workers w where w.id = $1`,
    [workerId],
  );
  return row ?? null;
}

export interface NamedAttempt {
  readonly trunkId: string;
  /** The field of the record that identifies the attempt. */
  readonly recordKey: string;
  readonly recordValue: string;
  /** What the vendor calls it. */
  readonly named: object;
}

/** Completes the record of an open attempt, so that any worker can end its call. False when there is no such attempt. */
export async function nameAttempt(db: Database, attempt: NamedAttempt): Promise<boolean> {
  const { trunkId, recordKey, recordValue, named } = attempt;
  const rows = await run(
    db,
    `/* name_attempt */ update call_attempts set record = record || $4::jsonb
     where trunk_id = $1 and ended_at is null and record ->> $2 = $3 returning 1`,
    [trunkId, recordKey, recordValue, JSON.stringify(named)],
  );
  return rows.length > 0;
}
