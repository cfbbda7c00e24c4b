import type { Tx } from "../../platform/database/database.ts";
import { deleteSuppression } from "./suppression-store.ts";

/** Takes a number off the account's list, for numbers that nobody has. */
export async function unsuppressNumber(tx: Tx, accountId: string, phoneNumber: string): Promise<void> {
  await deleteSuppression(tx, accountId, phoneNumber);
}
