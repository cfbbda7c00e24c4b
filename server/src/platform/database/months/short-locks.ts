import { setTimeout as delay } from "node:timers/promises";
import { type Database, inTransaction, run, type Tx } from "../database.ts";

/**
 * While a statement waits for a table as a whole, everything that uses the table waits behind it. A live call must not
 * notice, so the wait is short and repeated later.
 */
const WAIT_MS = 200;
const TRIES_MAX = 20;
const PAUSE_MS = 500;

/** Runs what locks whole tables. Returns null when others used them every time it was tried. */
export async function withShortLocks<T>(
  db: Database,
  work: (tx: Tx) => Promise<T>,
  pause: () => Promise<unknown> = () => delay(PAUSE_MS),
): Promise<T | null> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    try {
      return await inTransaction(db, async (tx) => {
        await run(tx, `set local lock_timeout = ${WAIT_MS}`);
        return work(tx);
      });
    } catch (error) {
      if (!isLockTaken(error)) throw error;
      await pause();
    }
  }
  return null;
}

/** PostgreSQL, appendix A: lock_not_available. */
function isLockTaken(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "55P03";
}
