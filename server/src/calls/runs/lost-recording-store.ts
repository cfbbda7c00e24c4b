import { type Database, run } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";

export interface LostAfter {
  /** A call whose worker is known to be gone. */
  readonly workerLostSeconds: number;
  /** Any other: its recorder may still be about to close the file. */
  readonly endedSeconds: number;
}

/** Calls that ended so long ago and are still said to be recorded: who was to say what became of it is gone. */
export async function findLostRecordings(
  db: Database,
  { workerLostSeconds, endedSeconds }: LostAfter,
  afterId: string,
  rowsMax: number,
): Promise<CallRow[]> {
  return run<CallRow>(
    db,
    `/* find_lost_recordings */ select * from calls
     where state = 'ended' and recording->>'status' = 'recording' and id > $3
       and ended_at < now() - make_interval(secs => case end_reason when 'worker_lost' then $1::float8 else $2::float8 end)
     order by id limit $4`,
    [workerLostSeconds, endedSeconds, afterId, rowsMax],
  );
}

/** Of these calls, those that have ended and never said that they were recorded. */
export async function findUnspoken(db: Database, ids: readonly string[]): Promise<CallRow[]> {
  return run<CallRow>(
    db,
    `/* find_unspoken_recordings */ select * from calls
     where id = any($1) and state = 'ended' and recording is null and recording_erased_at is null order by id`,
    [ids],
  );
}
