import { hasAnyAccount } from "../accounts/account-store.ts";
import type { Settings } from "../platform/config/settings.ts";
import type { Database } from "../platform/database/database.ts";
import { CommandFailure } from "./command.ts";

/**
 * Every installation has an account from its first start on, so a database without one is most likely the wrong one: a
 * backup of it, or a good verdict on it, would be trusted for the right one.
 */
export async function refuseEmptyDatabase(db: Database, { databaseUrl, dataDir }: Settings): Promise<void> {
  if (await hasAnyAccount(db)) return;
  const where = databaseUrl ? "The database that DATABASE_URL names" : `The database in ${dataDir}`;
  throw new CommandFailure(
    `${where} holds no account. Is it the right one? DATABASE_URL, or else PARLEY_DATA_DIR, says which is used.`,
  );
}
