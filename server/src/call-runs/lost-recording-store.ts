import type { CallRow } from "../calls/call-record.ts";
import { type Database, run } from "../database/database.ts";

/** Calls that ended so long ago and are still said to be recorded: who was to say what became of it is gone. */
export async function findLostRecordings(db: Database, endedSeconds: number, rowsMax: number): Promise<CallRow[]> {
  return run<CallRow>(
    db,
    `/* find_lost_recordings */ select * from calls
     where state = 'ended' and recording->>'status' = 'recording' and ended_at < now() - make_interval(secs => $1)
     limit $2`,
    [endedSeconds, rowsMax],
  );
}
