import { type Database, run } from "../database/database.ts";
import { readSplitTables } from "../database/months/month-store.ts";
import type { InvariantCheck } from "./invariant-check.ts";

export interface Violation {
  /** The id of what is wrong. */
  readonly subject: string;
  readonly detail: string;
}

export interface ViolationPage {
  readonly violations: readonly Violation[];
  /** The total, including those beyond the page. */
  readonly total: number;
}

/** Reads everything in one read-only snapshot, however busy the service is. */
export async function inSnapshot<T>(db: Database, work: (snapshot: Database) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const tables = await readSplitTables(connection);
    await run(connection, "begin transaction isolation level repeatable read, read only");
    try {
      // A check reads whole tables; the limit on ordinary statements does not fit it.
      await run(connection, "set local statement_timeout = 0");
      // The rows of a month that is dropped are gone from older snapshots too.
      for (const table of tables) await run(connection, `lock table ${table} in access share mode`);
      const result = await work(connection);
      await run(connection, "commit");
      return result;
    } catch (error) {
      // When not even this can be sent the connection is gone, and the useful error is why the work failed.
      await run(connection, "rollback").catch(() => undefined);
      throw error;
    }
  });
}

/** Finds what breaks a check, as of a moment or of the transaction's start. */
export async function findViolations(
  db: Database,
  check: InvariantCheck,
  asOf: Date | null,
  rowsMax: number,
): Promise<ViolationPage> {
  const values = check.sql.includes("$1") ? [asOf] : [];
  const rows = await run<Violation & { total: bigint }>(
    db,
    `select subject, detail, count(*) over () as total from (${check.sql}) found order by subject limit ${rowsMax}`,
    values,
  );
  return {
    violations: rows.map(({ subject, detail }) => ({ subject, detail })),
    total: Number(rows[0]?.total ?? 0n),
  };
}

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
