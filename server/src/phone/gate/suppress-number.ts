import type { Tx } from "../../platform/database/database.ts";
import { putSuppression } from "./suppression-store.ts";

/** Puts a number on the account's list of those it never calls. One that is there stays as it was. */
export async function suppressNumber(tx: Tx, accountId: string, phoneNumber: string, reason: string): Promise<void> {
  await putSuppression(tx, accountId, phoneNumber, reason);
}
