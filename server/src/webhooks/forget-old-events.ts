import type { Database } from "../platform/database/database.ts";
import {
  deleteAttemptsBefore,
  deleteDeliveriesBefore,
  deleteEventsBefore,
  deleteForgottenEndpoints,
  holdForDisabled,
} from "./history-store.ts";

/** How long events can be replayed and attempts looked at. */
export const HISTORY_DAYS = 90;
const DAY_MS = 24 * 3600 * 1000;
// Small enough that no call waits behind it.
const ROWS_PER_STATEMENT = 5000;

/** Forgets what is older than events are promised to be kept, and tidies up what a race left waiting. */
export async function forgetOldEvents(
  db: Database,
  nowMs: number = Date.now(),
  rowsPerStatement = ROWS_PER_STATEMENT,
): Promise<void> {
  const before = new Date(nowMs - HISTORY_DAYS * DAY_MS);
  await holdForDisabled(db);
  for (const remove of [deleteAttemptsBefore, deleteDeliveriesBefore, deleteEventsBefore]) {
    while ((await remove(db, before, rowsPerStatement)) === rowsPerStatement);
  }
  await deleteForgottenEndpoints(db);
}
