import type { Database } from "../platform/database/database.ts";
import { readSettingsRow } from "./account-store.ts";

/** What the account's agents say of themselves unless they have words of their own; null for the service's words. */
export async function readDisclosure(db: Database, accountId: string): Promise<string | null> {
  return (await readSettingsRow(db, accountId)).disclosure;
}
