import type { GateRefusal } from "@parley/contract/gate";
import type { Mode } from "@parley/contract/shared-fields";
import { holdCredit } from "../../accounts/credits/hold-credit.ts";
import type { Tx } from "../../platform/database/database.ts";
import { countVelocity, windowsOf } from "./count-velocity.ts";
import { describeNumber } from "./describe-number.ts";
import { readRulesInForce } from "./gate-rules-store.ts";
import { refuseByGate } from "./gate-words.ts";
import type { GateDeps } from "./judge-number.ts";

export interface Admission {
  readonly accountId: string;
  readonly mode: Mode;
  readonly callId: string;
  readonly keyId: string | null;
  readonly phoneNumber: string;
  /** Whether it was counted before. */
  readonly isCounted: boolean;
  /** What to set aside; nothing for a call that is free or not charged. */
  readonly micros: bigint;
  /** The day the call counts on; null for today. */
  readonly day: string | null;
}

/**
 * Admits a call: counts it and holds its credit, exactly, however many are admitted at the same moment. Throws what a client is told
 * when it is one too many or there is not enough; the transaction must then be given up. It comes last in a transaction,
 * because it locks rows that every call of the account needs.
 */
export async function countAndHoldCredit(tx: Tx, deps: GateDeps, admission: Admission): Promise<void> {
  const { mode, accountId, callId, keyId, phoneNumber, isCounted, micros, day } = admission;
  if (!isCounted && deps.goesToTrunks(mode)) {
    const refusal = await countCall(tx, deps, accountId, phoneNumber);
    if (refusal !== null) throw refuseByGate([refusal]);
  }
  if (micros > 0n)
    await holdCredit(tx, { accountId, callId, keyId, micros, kind: "hold", day, phoneNumber, heldMicros: 0n });
}

/** Counts a call to a number. Returns why it is one too many, or null. */
export async function countCall(
  tx: Tx,
  deps: GateDeps,
  accountId: string,
  phoneNumber: string,
): Promise<GateRefusal | null> {
  const windows = windowsOf(phoneNumber, describeNumber(phoneNumber).country, deps.nowMs());
  return countVelocity(tx, accountId, windows, await readRulesInForce(tx, accountId));
}
