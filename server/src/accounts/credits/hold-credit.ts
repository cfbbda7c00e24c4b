import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import { formatUsd } from "@parley/contract/money";
import type { CreditLowBody } from "@parley/contract/webhooks";
import type { Tx } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/failures.ts";
import { insertAccountReport, markLowNotified, moveCredit, readSpentOn } from "./hold-store.ts";

export interface CreditHold {
  readonly accountId: string;
  readonly callId: string;
  readonly keyId: string | null;
  readonly micros: bigint;
  readonly kind: "hold" | "hold_extended";
  /** The day the call counts on; null for today. */
  readonly day: string | null;
  readonly phoneNumber: string;
  /** The previous hold of the call. */
  readonly heldMicros: bigint;
}

/**
 * Sets credit aside for a call. Throws `insufficient_credit` or `spend_limit_reached`; the transaction must then be
 * rolled back.
 */
export async function holdCredit(tx: Tx, hold: CreditHold): Promise<void> {
  const { micros, phoneNumber, heldMicros, ...who } = hold;
  try {
    const spent = await moveCredit(tx, {
      ...who,
      spendMicros: micros,
      availableMicros: -micros,
      heldMicros: micros,
      earnedMicros: 0n,
    });
    refuseAbove(spent.account_cap, spent.account_micros, "The account's daily spend cap is reached.");
    refuseAbove(spent.key_cap, spent.key_micros ?? 0n, "The key's daily spend cap is reached.");
    refuseAbove(spent.call_cap, heldMicros + micros, "The call would exceed the cost limit for one call.");
    if (spent.destination_cap !== null) {
      const others = await readSpentOn(tx, { ...who, phoneNumber, day: spent.day });
      const total = others + heldMicros + micros;
      refuseAbove(spent.destination_cap, total, "The daily spend cap for this number is reached.");
    }
    if (spent.is_low) await tellCreditLow(tx, hold.accountId);
  } catch (error) {
    if (violatedConstraint(error) !== "balance_never_negative") throw error;
    throw new AppError("insufficient_credit", "The account's credit does not cover this.", { cause: error });
  }
}

function refuseAbove(capMicros: bigint | null, spentMicros: bigint, message: string): void {
  if (capMicros !== null && spentMicros > capMicros) throw new AppError("spend_limit_reached", message);
}

export interface CreditSettlement {
  readonly accountId: string;
  readonly callId: string;
  readonly keyId: string | null;
  readonly heldMicros: bigint;
  readonly costMicros: bigint;
  readonly day: string;
  /** Why nothing is charged, for the ledger; empty where there is nothing to explain. */
  readonly note?: string;
}

/** Charges the cost of a call from its hold and releases the rest, once per call. */
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

/** Reports to webhooks that the balance has fallen below the account's limit: once, and again after a top-up. */
async function tellCreditLow(tx: Tx, accountId: string): Promise<void> {
  const low = await markLowNotified(tx, accountId);
  if (low === null) return;
  const body: CreditLowBody = {
    id: makeId("event"),
    type: "credit.low",
    createdAt: new Date().toISOString(),
    sequence: null,
    data: {
      balance: formatUsd(low.available_micros),
      held: formatUsd(low.held_micros),
      creditLowAt: formatUsd(low.credit_low_micros),
      currency: "USD",
    },
  };
  await insertAccountReport(tx, { id: body.id, accountId, type: body.type, body: JSON.stringify(body) });
}
