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
