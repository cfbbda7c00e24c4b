import type { Tx } from "../../platform/database/database.ts";
import { readCallCap } from "./hold-store.ts";

/** The most that one call of the account may cost; null when it has set no such cap. */
export function readCallCapMicros(tx: Tx, accountId: string): Promise<bigint | null> {
  return readCallCap(tx, accountId);
}
