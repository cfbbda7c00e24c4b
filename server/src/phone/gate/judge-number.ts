import type { CallingHoursPolicy } from "@parley/contract/calls";
import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../../platform/database/database.ts";
import type { CallRouter } from "../carriers/where-calls-go.ts";
import { calleeZones } from "./callee-zones.ts";
import { commonHours } from "./calling-hours.ts";
import { readVelocity, windowsOf } from "./count-velocity.ts";
import { decide, type GateDecision, type TrunkFacts } from "./decide.ts";
import { describeNumber } from "./describe-number.ts";
import { readRulesInForce } from "./gate-rules-store.ts";
import { readListAndCredit } from "./suppression-store.ts";

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
  const { isSuppressed, availableMicros } = await readListAndCredit(db, accountId, phoneNumber);
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
