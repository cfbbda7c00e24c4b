import type { Database } from "../../platform/database/database.ts";
import { readBalance } from "./ledger-store.ts";

/** What an account may spend at this moment. Only a hold makes sure of it. */
export async function readAvailableMicros(db: Database, accountId: string): Promise<bigint> {
  return (await readBalance(db, accountId)).availableMicros;
}
