import type { CallingHoursPolicy } from "@parley/contract/calls";
import type { GateRefusal } from "@parley/contract/gate";
import { type Mode, PhoneNumber } from "@parley/contract/shared-fields";
import { findRate } from "../../accounts/credits/find-rate.ts";
import { priceCall } from "../../accounts/credits/price-call.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { countCall } from "./admit-call.ts";
import { meaningOf } from "./gate-words.ts";
import { type GateDeps, judgeNumber } from "./judge-number.ts";

export interface TransferQuestion {
  readonly accountId: string;
  readonly mode: Mode;
  readonly engine: string;
  /** What the call itself was asked to do about calling hours. */
  readonly callingHours: CallingHoursPolicy;
  readonly to: string;
}

export type TransferDecision =
  | { readonly isAllowed: true }
  /** Human-readable, for the call's transcript. */
  | { readonly isAllowed: false; readonly reason: string };

/** What the account must be able to pay for, as for a separate call. */
const COVERED_SECONDS = 120;

/** Rolled back with the transaction that counted one call too many. */
class OneTooMany extends Error {
  override readonly name = "OneTooMany";
  readonly refusal: GateRefusal;

  constructor(refusal: GateRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** Asks the gate whether a callee may be connected with a number. A callee does not wait for calling hours. */
export async function judgeTransfer(
  db: Database,
  deps: GateDeps,
  question: TransferQuestion,
): Promise<TransferDecision> {
  const { to, accountId, mode } = question;
  if (!PhoneNumber.safeParse(to).success) return { isAllowed: false, reason: "It is not a phone number." };
  try {
    return await inTransaction(db, async (tx): Promise<TransferDecision> => {
      const rate = await findRate(tx, to, question.engine);
      const { isCharged } = deps.routeCall(mode, to, null);
      const judged = await judgeNumber(tx, deps, {
        accountId,
        mode,
        phoneNumber: to,
        callingHours: question.callingHours === "ignore" ? "ignore" : "fail",
        rate,
        isCharged,
        neededMicros: isCharged ? priceCall({ ...rate, enginePerMinuteMicros: 0n }, COVERED_SECONDS).totalMicros : 0n,
        isCounted: false,
        isAccepted: true,
        atMs: null,
        sinceMs: null,
      });
      if (judged.decision === "refused") return { isAllowed: false, reason: meaningOf(judged.reasons[0]) };
      const refusal = deps.goesToTrunks(mode) ? await countCall(tx, deps, accountId, to) : null;
      if (refusal !== null) throw new OneTooMany(refusal);
      return { isAllowed: true };
    });
  } catch (error) {
    if (!(error instanceof OneTooMany)) throw error;
    return { isAllowed: false, reason: meaningOf(error.refusal) };
  }
}
