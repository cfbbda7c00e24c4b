import type { Database } from "../../platform/database/database.ts";
import {
  dropPartitions,
  type Month,
  readMonthsBefore,
  readSplitTables,
} from "../../platform/database/months/month-store.ts";
import { withShortLocks } from "../../platform/database/months/short-locks.ts";
import {
  deleteLeavingMonth,
  deleteRowsWithoutCalls,
  hasCalls,
  hasCallsToKeep,
  hasRows,
  insertLeavingMonth,
  type LeavingMonth,
  readLeavingMonths,
} from "./removal-store.ts";

interface MonthDeps {
  readonly db: Database;
  readonly installationDays: number | null;
  readonly nowMs: () => number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** No process has a clock that is this wrong, so no call is created in a month that ended longer ago. */
const OVER_AFTER_MS = 2 * DAY_MS;
/** With one period for all calls, the last call of a month leaves a month after the first, and some days if it was scheduled. */
const LEAVES_WITHIN_MS = 35 * DAY_MS;
/** A month that has not left by then, because of a single call, is cleared row by row. */
const PATIENCE_MS = 2 * LEAVES_WITHIN_MS;

/**
 * Decides by month how the rows of removed calls leave the tables that are split by month. Where every call of a month
 * will have been removed within 35 days, they stay until the month can be dropped as a whole. Otherwise they are deleted
 * with their calls.
 */
export async function chooseLeavingMonths({ db, installationDays, nowMs }: MonthDeps): Promise<void> {
  const keptUntil = new Date(nowMs() + LEAVES_WITHIN_MS);
  const leaving = await readLeavingMonths(db);
  for (const month of leaving) {
    const isLate = nowMs() - month.since.getTime() > PATIENCE_MS;
    if (isLate || (await hasCallsToKeep(db, month, installationDays, keptUntil))) await clear(db, month);
  }
  for (const month of await readOver(db, nowMs)) {
    if (leaving.some(({ lowerId }) => lowerId === month.lowerId)) continue;
    if (!(await hasCalls(db, month)) || (await hasCallsToKeep(db, month, installationDays, keptUntil))) continue;
    await insertLeavingMonth(db, month, new Date(nowMs()));
  }
}

/** Deletes what removed calls left in a month that stays. Rows of calls that are removed from now on go with them. */
async function clear(db: Database, month: LeavingMonth): Promise<void> {
  for (const table of await readSplitTables(db)) await deleteRowsWithoutCalls(db, table, month);
  await deleteLeavingMonth(db, month.lowerId);
}

/**
 * Drops the months of which every call has been removed, with what the calls left there. A month in use by others at
 * that moment, such as a backup, is left for the next time. Returns how many were dropped.
 */
export async function dropLeftMonths({ db, nowMs }: Pick<MonthDeps, "db" | "nowMs">): Promise<number> {
  const leaving = new Set((await readLeavingMonths(db)).map(({ lowerId }) => lowerId));
  let dropped = 0;
  for (const month of await readOver(db, nowMs)) {
    if (await hasCalls(db, month)) continue;
    // Rows of a month that was not to leave are not ours to drop.
    if (!leaving.has(month.lowerId) && (await hasRows(db, month))) continue;
    const isDropped = await withShortLocks(db, async (tx) => {
      const count = await dropPartitions(tx, month);
      await deleteLeavingMonth(tx, month.lowerId);
      return count > 0;
    });
    if (isDropped) dropped += 1;
  }
  return dropped;
}

function readOver(db: Database, nowMs: () => number): Promise<Month[]> {
  return readMonthsBefore(db, new Date(nowMs() - OVER_AFTER_MS));
}
