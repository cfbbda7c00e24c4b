import { AppError } from "@parley/contract/errors";
import type { Tx } from "../database/database.ts";
import { violatedConstraint } from "../database/failures.ts";
import { moveCredit } from "./hold-store.ts";

export interface CreditHold {
  readonly accountId: string;
  readonly callId: string;
  readonly keyId: string | null;
  readonly micros: bigint;
  readonly kind: "hold" | "hold_extended";
  /** The day the call counts on; null for today. */
  readonly day: string | null;
}

/** Sets credit aside for a call. Throws `insufficient_credit` or `spend_limit_reached`; the transaction must then be given up. */
export async function holdCredit(tx: Tx, hold: CreditHold): Promise<void> {
  const { micros, ...who } = hold;
  try {
    const spent = await moveCredit(tx, {
      ...who,
      spendMicros: micros,
      availableMicros: -micros,
      heldMicros: micros,
      earnedMicros: 0n,
    });
    refuseAbove(spent.account_cap, spent.account_micros, "account's");
    refuseAbove(spent.key_cap, spent.key_micros ?? 0n, "key's");
  } catch (error) {
    if (violatedConstraint(error) !== "balance_never_negative") throw error;
    throw new AppError("insufficient_credit", "The account's credit does not cover this.", { cause: error });
  }
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
  const { heldMicros, costMicros, ...who } = settlement;
  await moveCredit(tx, {
    ...who,
    kind: costMicros > 0n ? "settled" : "released",
    spendMicros: costMicros - heldMicros,
    availableMicros: heldMicros - costMicros,
    heldMicros: -heldMicros,
    earnedMicros: costMicros,
  });
}
