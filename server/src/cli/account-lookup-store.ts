import { type Database, run } from "../platform/database/database.ts";

/** The ids of the accounts of this name, a few at most. */
export async function findAccountIdsNamed(db: Database, name: string): Promise<string[]> {
  const rows = await run<{ id: string }>(db, "select id from accounts where name = $1 order by id limit 10", [name]);
  return rows.map((row) => row.id);
}

/** The account that a key belongs to. */
export async function findAccountIdOfKey(db: Database, keyId: string): Promise<string | null> {
  const [row] = await run<{ account_id: string }>(db, "select account_id from api_keys where id = $1", [keyId]);
  return row?.account_id ?? null;
}
