import type { Database } from "../database.ts";
import { addMonth, countRowsOutside, readMissingMonths, readOldestOutside, readSplitTables } from "./month-store.ts";
import { withShortLocks } from "./short-locks.ts";

/** A service whose jobs have not run for this long still finds a partition for every row. */
const MONTHS_AHEAD = 3;
/** Before the first release. */
const FIRST_MOMENT = new Date("2020-01-01T00:00:00Z");

/**
 * Adds partitions to the tables that are split by month: for this month and some to come, and for rows that no month
 * has, which are moved there. Does nothing where all is there; processes may run it at once. Returns how many rows are
 * still in no month.
 */
export async function addMonths(db: Database, nowMs: number = Date.now()): Promise<number> {
  const moments = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => startOfMonth(nowMs, ahead));
  for (const { table, moment } of await readMissingMonths(db, moments)) await add(db, table, moment);
  for (const table of await readSplitTables(db))
    await moveRowsToTheirMonths(db, table, startOfMonth(nowMs, MONTHS_AHEAD + 1));
  return countRowsOutside(db);
}

async function moveRowsToTheirMonths(db: Database, table: string, before: Date): Promise<void> {
  for (;;) {
    const moment = await readOldestOutside(db, table, FIRST_MOMENT, before);
    if (!moment || !(await add(db, table, moment))) return;
  }
}

async function add(db: Database, table: string, moment: Date): Promise<boolean> {
  return (await withShortLocks(db, (tx) => addMonth(tx, table, moment))) ?? false;
}

function startOfMonth(nowMs: number, monthsLater: number): Date {
  const now = new Date(nowMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsLater));
}
