import type { Database } from "../../platform/database/database.ts";
import { hasSuppression } from "./suppression-store.ts";

/** Whether the account must never call this number. */
export async function isSuppressed(db: Database, accountId: string, phoneNumber: string): Promise<boolean> {
  return hasSuppression(db, accountId, phoneNumber);
}
