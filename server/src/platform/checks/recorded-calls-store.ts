import { type Database, run } from "../database/database.ts";

/** What the database says of a recording. */
export interface RecordedRow {
  readonly id: string;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly status: string | null;
  readonly duration_ms: number | null;
  readonly erased_ago_ms: number | null;
}

const COLUMNS = `c.id, c.created_at, c.ended_at, c.recording->>'status' as status,
  (c.recording->>'durationMs')::float8 as duration_ms,
  extract(epoch from clock_timestamp() - c.recording_erased_at)::float8 * 1000 as erased_ago_ms`;

/** Calls with a recording that can be played, in the order in which they ended. */
export async function readPlayable(
  db: Database,
  after: { readonly endedAt: Date; readonly id: string },
  rowsMax: number,
): Promise<RecordedRow[]> {
  return run<RecordedRow>(
    db,
    `/* read_playable */ select ${COLUMNS} from calls c
     where c.recording->>'status' = 'ready' and (c.ended_at, c.id) > ($1, $2) order by c.ended_at, c.id limit $3`,
    [after.endedAt, after.id, rowsMax],
  );
}

export async function findRecorded(db: Database, ids: readonly string[]): Promise<Map<string, RecordedRow>> {
  const rows = await run<RecordedRow>(db, `/* find_recorded */ select ${COLUMNS} from calls c where c.id = any($1)`, [
    ids,
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}
