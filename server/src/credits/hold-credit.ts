import { AppError } from "@parley/contract/errors";
import type { Tx } from "../database/database.ts";
import { postTransfer } from "./ledger-store.ts";
import { addSpend, readAccountCap, readKeyCap } from "./spend-store.ts";

export interface CreditHold {
  readonly accountId: string;
  readonly callId: string;
  /** The key that pays, when a key placed the call: its own daily cap applies too. */
  readonly keyId: string | null;
  readonly micros: bigint;
  readonly kind: "hold" | "hold_extended";
  /** The day the call counts on, once it has one. */
  readonly day: string | null;
}

/** Sets credit aside for a call. Throws `insufficient_credit` or `spend_limit_reached`; the transaction must then be given up. */
export async function holdCredit(tx: Tx, hold: CreditHold): Promise<{ day: string }> {
  const spent = await addSpend(tx, hold.accountId, hold.micros, hold.day);
  refuseAbove(await readAccountCap(tx, hold.accountId), spent.micros, "account's");
  if (hold.keyId) {
    const spentByKey = await addSpend(tx, hold.keyId, hold.micros, hold.day);
    refuseAbove(await readKeyCap(tx, hold.keyId), spentByKey.micros, "key's");
  }
  await postTransfer(tx, {
    accountId: hold.accountId,
    kind: hold.kind,
    callId: hold.callId,
    availableMicros: -hold.micros,
    heldMicros: hold.micros,
  });
  return { day: spent.day };
}

function refuseAbove(capMicros: bigint | null, spentMicros: bigint, whose: string): void {
  if (capMicros !== null && spentMicros > capMicros) {
    throw new AppError("spend_limit_reached", `The ${whose} daily spend cap is reached.`);
  }
}

export interface CreditSettlement {
  readonly accountId: string;
  readonly callId: string;
  readonly keyId: string | null;
  readonly heldMicros: bigint;
  readonly costMicros: bigint;
  readonly day: string;
}

/** Charges what a call cost out of what was held for it and gives back the rest, once per call. */
export async function settleCredit(tx: Tx, settlement: CreditSettlement): Promise<void> {
  const { accountId, callId, heldMicros, costMicros } = settlement;
  // In the order in which a hold takes them, so that two calls of one account never wait for each other.
  await addSpend(tx, accountId, costMicros - heldMicros, settlement.day);
  if (settlement.keyId) await addSpend(tx, settlement.keyId, costMicros - heldMicros, settlement.day);
  await postTransfer(tx, {
    accountId,
    kind: costMicros > 0n ? "settled" : "released",
    callId,
    availableMicros: heldMicros - costMicros,
    heldMicros: -heldMicros,
    earnedMicros: costMicros,
  });
}
