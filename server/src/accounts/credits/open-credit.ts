import { SIGN_UP_CREDIT_MICROS } from "@parley/contract/credits";
import type { Tx } from "../../platform/database/database.ts";
import { openBalance, postTransfer } from "./ledger-store.ts";

/** Opens a new account's balance with its free credit. The database refuses to give it twice. */
export async function openCredit(tx: Tx, accountId: string): Promise<void> {
  await openBalance(tx, accountId);
  await postTransfer(tx, {
    accountId,
    kind: "sign_up_credit",
    note: "Free credit for a new account",
    availableMicros: SIGN_UP_CREDIT_MICROS,
    fundedMicros: -SIGN_UP_CREDIT_MICROS,
  });
}
