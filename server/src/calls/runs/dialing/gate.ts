import { isDeepStrictEqual } from "node:util";
import { SIMULATED_NETWORK } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import type { GateRecord, GateRefusal } from "@parley/contract/gate";
import { findRate } from "../../../accounts/credits/find-rate.ts";
import { priceCall } from "../../../accounts/credits/price-call.ts";
import type { CallRouting } from "../../../phone/carriers/where-calls-go.ts";
import { countAndHoldCredit } from "../../../phone/gate/count-and-hold-credit.ts";
import type { GateDecision } from "../../../phone/gate/decide.ts";
import { endReasonOf } from "../../../phone/gate/gate-words.ts";
import { type GateDeps, judgeNumber } from "../../../phone/gate/judge-number.ts";
import type { ListAndCredit } from "../../../phone/gate/suppression-store.ts";
import { type Database, inTransaction, type Tx } from "../../../platform/database/database.ts";
import { type CallRow, pricesOf } from "../../call-record.ts";
import { HOLD_SECONDS } from "../../create-call.ts";
import type { GateOutcome } from "../deps.ts";
import { lockOwnCall } from "../lease/lease-store.ts";
import { setAdmitted, setGate } from "../lease/progress-store.ts";

/**
 * Asks the gate once more before a claimed call is dialed, and stores its decision on the call. A scheduled call is
 * counted and its credit held only now. `known` is what was read with the claim; a decision that is stored reads it again. Safe to repeat after a lost reply. Throws LeaseLost when the call is no longer
 * this run's.
 */
export async function askGate(
  db: Database,
  deps: GateDeps,
  call: CallRow,
  known: ListAndCredit | null = null,
): Promise<GateOutcome> {
  try {
    if (await isStillAllowed(db, deps, call, known)) return { decision: "allowed", call };
    return await inTransaction(db, async (tx) => {
      const locked = await lockOwnCall(tx, call.id, call.fence);
      const routing = deps.routeCall(locked.mode, locked.phone_number, locked.from_number);
      const judged = await judge(tx, deps, locked, routing);
      const gate = { decision: judged.decision, reasons: [...judged.reasons] };
      if (judged.decision === "refused") return refuse(tx, locked, gate, judged.reasons[0]);
      if (judged.decision === "waiting") {
        await setGate(tx, locked, gate, new Date(judged.untilMs));
        return { decision: "deferred" };
      }
      return { decision: "allowed", call: await admit(tx, deps, locked, routing, gate) };
    });
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === null) throw error;
    // Counting and holding were rolled back with their transaction, so this one records the refusal alone.
    return inTransaction(db, async (tx) => {
      const locked = await lockOwnCall(tx, call.id, call.fence);
      return refuse(tx, locked, { decision: "refused", reasons: [refusal] }, refusal);
    });
  }
}

/**
 * Whether a call that was admitted when it was accepted may be dialed just so: nothing is counted, held or stored again,
 * so nothing is locked. That the call is still this run's is verified when the attempt is written.
 */
async function isStillAllowed(
  db: Database,
  deps: GateDeps,
  call: CallRow,
  known: ListAndCredit | null,
): Promise<boolean> {
  const routing = deps.routeCall(call.mode, call.phone_number, call.from_number);
  const isAdmitted = call.admitted_at !== null && missingHold(call, routing) === 0n;
  if (!isAdmitted || call.network !== routing.network || call.is_charged !== routing.isCharged) return false;
  const { decision, reasons } = await judge(db, deps, call, routing, known);
  return decision === "allowed" && call.gate?.decision === decision && isDeepStrictEqual(call.gate.reasons, reasons);
}

async function judge(
  db: Database,
  deps: GateDeps,
  call: CallRow,
  routing: CallRouting,
  known: ListAndCredit | null = null,
): Promise<GateDecision> {
  const { account_id: accountId, mode, phone_number: phoneNumber, calling_hours: callingHours } = call;
  const { prefix } = deps.goesToTrunks(mode) ? await findRate(db, phoneNumber, call.engine) : { prefix: "+" };
  return judgeNumber(db, deps, {
    accountId,
    mode,
    phoneNumber,
    callingHours,
    // The price of a call was fixed when it was accepted.
    rate: { prefix, routePerMinuteMicros: call.route_per_minute_micros },
    isCharged: routing.isCharged,
    neededMicros: missingHold(call, routing),
    ...(known === null ? {} : { listAndCredit: known }),
    isCounted: wasCounted(call, routing),
    isAccepted: true,
    atMs: null,
    sinceMs: Math.max(call.created_at.getTime(), call.scheduled_at?.getTime() ?? 0),
  });
}

async function admit(tx: Tx, deps: GateDeps, call: CallRow, routing: CallRouting, gate: GateRecord): Promise<CallRow> {
  const micros = missingHold(call, routing);
  const isCounted = wasCounted(call, routing);
  const admitted = await setAdmitted(tx, call, gate, routing, micros);
  const { account_id: accountId, mode, id: callId, api_key_id: keyId, phone_number: phoneNumber } = call;
  await countAndHoldCredit(tx, deps, {
    accountId,
    mode,
    callId,
    keyId,
    phoneNumber,
    isCounted,
    micros,
    day: admitted.held_on,
  });
  return admitted;
}

async function refuse(tx: Tx, call: CallRow, gate: GateRecord, refusal: GateRefusal): Promise<GateOutcome> {
  await setGate(tx, call, gate, null);
  return { decision: "refused", reason: endReasonOf(refusal) };
}

/** The credit still to be held: all of it for a scheduled call, or one that was not charged before. */
function missingHold(call: CallRow, { isCharged }: CallRouting): bigint {
  return isCharged && call.held_micros === 0n ? priceCall(pricesOf(call), HOLD_SECONDS).totalMicros : 0n;
}

/** A call that was admitted to the simulated network and now goes out on a trunk was not counted. */
function wasCounted(call: CallRow, { network }: CallRouting): boolean {
  const becameReal = call.network === SIMULATED_NETWORK && network !== SIMULATED_NETWORK;
  return call.admitted_at !== null && !becameReal;
}

/** Why a call was not admitted although the gate had allowed it: others were admitted at the same moment. */
function refusalIn(error: unknown): GateRefusal | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === "insufficient_credit") return "insufficient_credit";
  if (error.code === "spend_limit_reached") return "spend_limit";
  if (error.code !== "destination_not_allowed") return null;
  return (error.details[0]?.code as GateRefusal | undefined) ?? "no_rate";
}
