import type { Mode } from "@parley/contract/shared-fields";
import { type Database, run } from "../../platform/database/database.ts";

/** The id of the account's call, or null. */
export async function findById(db: Database, accountId: string, mode: Mode, id: string): Promise<string | null> {
  const [row] = await run<{ id: string }>(
    db,
    "/* find_call_id */ select id from calls where id = $1 and account_id = $2 and mode = $3",
    [id, accountId, mode],
  );
  return row?.id ?? null;
}

/** Those of the given calls whose number matches the pattern. */
export async function keepByNumber(db: Database, callIds: readonly string[], pattern: string): Promise<Set<string>> {
  const rows = await run<{ id: string }>(
    db,
    "/* keep_by_number */ select id from calls where id = any($1) and phone_number like $2",
    [callIds, pattern],
  );
  return new Set(rows.map(({ id }) => id));
}

// In the order of the index calls_by_number, which covers the query: the calls themselves are not read.
export const FIND_BY_NUMBER = `/* find_by_number */ select id from calls
  where account_id = $1 and mode = $2 and phone_number like $3 order by phone_number limit $4`;

/** Calls whose number matches the pattern, in no particular order, at most `limit`. */
export async function findByNumber(
  db: Database,
  accountId: string,
  mode: Mode,
  pattern: string,
  limit: number,
): Promise<string[]> {
  const rows = await run<{ id: string }>(db, FIND_BY_NUMBER, [accountId, mode, pattern, limit]);
  return rows.map(({ id }) => id);
}
