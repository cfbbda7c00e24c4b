import type { CallingHoursPolicy } from "@parley/contract/calls";
import type { GateRefusal } from "@parley/contract/gate";
import { type Mode, PhoneNumber } from "@parley/contract/shared-fields";
import { findRate } from "../../accounts/credits/find-rate.ts";
import { priceCall } from "../../accounts/credits/price-call.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import type { CallRouter } from "../carriers/where-calls-go.ts";
import { calleeZones } from "./callee-zones.ts";
import { commonHours } from "./calling-hours.ts";
import { countCall } from "./count-and-hold-credit.ts";
import { readVelocity, windowsOf } from "./count-velocity.ts";
import { decide, type GateDecision, type TrunkFacts } from "./decide.ts";
import { describeNumber } from "./describe-number.ts";
import { readRulesInForce } from "./gate-rules-store.ts";
import { meaningOf } from "./gate-words.ts";
import { type ListAndCredit, readListAndCredit } from "./suppression-store.ts";

export interface GateDeps extends CallRouter {
  readonly nowMs: () => number;
}

export interface GateQuestion {
  readonly accountId: string;
  readonly mode: Mode;
  readonly phoneNumber: string;
  readonly callingHours: CallingHoursPolicy;
  /** The prefix whose rate applies, and that rate. */
  readonly rate: { readonly prefix: string; readonly routePerMinuteMicros: bigint };
  readonly isCharged: boolean;
  /** What must still be set aside. */
  readonly neededMicros: bigint;
  /** What the caller has already read; it is read otherwise. */
  readonly listAndCredit?: ListAndCredit;
  readonly isCounted: boolean;
  /** Whether it is about a call that was accepted before. */
  readonly isAccepted: boolean;
  /** When it is to be dialed; null for now. */
  readonly atMs: number | null;
  /** When it was requested or scheduled for; null for `atMs`. */
  readonly sinceMs: number | null;
}

// The rate of this prefix is for simulated calls alone.
const ANY_NUMBER = "+";

/** Gathers what the gate needs to know of a number, and asks it. */
export async function judgeNumber(db: Database, deps: GateDeps, question: GateQuestion): Promise<GateDecision> {
  const { accountId, phoneNumber, isCharged, neededMicros } = question;
  const { isSuppressed, availableMicros } =
    question.listAndCredit ?? (await readListAndCredit(db, accountId, phoneNumber));
  const trunk = deps.goesToTrunks(question.mode) ? await gatherTrunkFacts(db, deps.nowMs(), question) : null;
  return decide({ isSuppressed, credit: isCharged ? { availableMicros, neededMicros } : null, trunk });
}

async function gatherTrunkFacts(db: Database, nowMs: number, question: GateQuestion): Promise<TrunkFacts> {
  const { accountId, phoneNumber, rate } = question;
  const rules = await readRulesInForce(db, accountId);
  const mayIgnore = rules.may_ignore_hours !== false;
  // A call that was accepted before an operator forbade it waits like any other.
  const policy =
    question.isAccepted && !mayIgnore && question.callingHours === "ignore" ? "wait" : question.callingHours;
  const number = describeNumber(phoneNumber);
  const atMs = question.atMs ?? nowMs;
  const windows = windowsOf(phoneNumber, number.country, nowMs);
  return {
    number,
    ratePerMinuteMicros: rate.prefix === ANY_NUMBER ? null : rate.routePerMinuteMicros,
    rateMaxMicros: rules.rate_max_micros,
    countries: rules.countries,
    velocity: question.isCounted ? null : await readVelocity(db, accountId, windows, rules),
    hours: {
      policy,
      mayIgnore,
      hours: commonHours(rules.all_hours),
      zones: policy === "ignore" ? [] : await calleeZones(phoneNumber),
      atMs,
      sinceMs: question.sinceMs ?? atMs,
    },
  };
}

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
