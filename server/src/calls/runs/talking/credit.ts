import { AppError } from "@parley/contract/errors";
import { findRate } from "../../../accounts/credits/find-rate.ts";
import { holdCredit } from "../../../accounts/credits/hold-credit.ts";
import { readCallCap } from "../../../accounts/credits/hold-store.ts";
import { priceCall, secondsPaidFor } from "../../../accounts/credits/price-call.ts";
import { type Database, inTransaction, type Tx } from "../../../platform/database/database.ts";
import { type CallRow, pricesOf } from "../../call-record.ts";
import { recordCallEvent } from "../../event-store.ts";
import type { RunContext } from "../deps.ts";
import { lockOwnCall } from "../lease/lease-store.ts";
import { addHeld, setBridged } from "../lease/progress-store.ts";
import { FAREWELL_LEAD_MS } from "./time-limits.ts";

/** While talking, the hold grows by this much whenever less than this much remains. */
const STEP_SECONDS = 60;
const CHECK_MS = 5000;

type CreditEnd = "insufficient_credit" | "spend_limit";

export type CreditDecision =
  | { readonly ok: true; readonly call: CallRow }
  | { readonly ok: false; readonly reason: CreditEnd };

/**
 * Checks every few seconds whether the hold is still sufficient, extends it when it does not, and ends the call when it
 * cannot be extended.
 */
export function watchCredit(run: RunContext): void {
  const { call, timers } = run;
  if (!run.isPhase("talking")) return;
  if (paidSeconds(call) >= call.max_duration_seconds) {
    timers.cancel("credit");
    timers.cancel("credit-nearly");
    return;
  }
  endWhenUnpaid(run, "insufficient_credit");
  if (needsMoreCredit(call, run.talkedMs())) run.writes.add(() => growHold(run));
  timers.set("credit-check", CHECK_MS, () => watchCredit(run));
}

async function growHold(run: RunContext): Promise<void> {
  if (!run.isPhase("talking")) return;
  const { id, fence } = run.call;
  const extended = await run.writes.retry(() => extendHold(run.deps.db, id, fence));
  if (extended.ok) run.call = extended.call;
  else endWhenUnpaid(run, extended.reason);
}

function endWhenUnpaid(run: RunContext, reason: CreditEnd): void {
  const leftMs = Math.max(0, paidSeconds(run.call) * 1000 - run.talkedMs());
  run.timers.set("credit", leftMs, () => run.dispatch({ type: "credit.ended", reason }));
  run.timers.set("credit-nearly", Math.max(0, leftMs - FAREWELL_LEAD_MS), () =>
    run.dispatch({ type: "credit.nearly_ended", reason }),
  );
}

/** How many seconds of talk the hold pays for, at most the maximum duration; all of it for a call that is not charged. */
export function paidSeconds(call: CallRow): number {
  if (!call.is_charged) return call.max_duration_seconds;
  return secondsPaidFor(pricesOf(call), call.held_micros, call.max_duration_seconds);
}

/** Whether the hold must grow now, given how long the callee has been talking. */
export function needsMoreCredit(call: CallRow, talkedMs: number): boolean {
  const paid = paidSeconds(call);
  return paid < call.max_duration_seconds && paid - talkedMs / 1000 < STEP_SECONDS;
}

/** Holds credit for another minute, or says why it cannot. */
export async function extendHold(db: Database, callId: string, fence: bigint): Promise<CreditDecision> {
  try {
    const call = await inTransaction(db, async (tx) => {
      const locked = await lockOwnCall(tx, callId, fence);
      const wanted = Math.min(paidSeconds(locked) + STEP_SECONDS, locked.max_duration_seconds);
      const seconds = await withinCallCap(tx, locked, wanted);
      const micros = priceCall(pricesOf(locked), seconds).totalMicros - locked.held_micros;
      if (micros <= 0n) return locked;
      await holdCredit(tx, {
        accountId: locked.account_id,
        callId,
        keyId: locked.api_key_id,
        micros,
        kind: "hold_extended",
        day: locked.held_on,
        phoneNumber: locked.phone_number,
        heldMicros: locked.held_micros,
      });
      const grown = await addHeld(tx, callId, fence, micros);
      await recordCallEvent(tx, grown, "call.hold_extended", { seconds });
      return grown;
    });
    return { ok: true, call };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, reason: error.code === "spend_limit_reached" ? "spend_limit" : "insufficient_credit" };
  }
}

/** As many of the wanted seconds as the cost cap of one call allows. Throws `spend_limit_reached` when that is none. */
async function withinCallCap(tx: Tx, call: CallRow, wanted: number): Promise<number> {
  const capMicros = await readCallCap(tx, call.account_id);
  if (capMicros === null) return wanted;
  const seconds = secondsPaidFor(pricesOf(call), capMicros, wanted);
  if (seconds > paidSeconds(call)) return seconds;
  throw new AppError("spend_limit_reached", "The call has reached the cost limit for one call.");
}

/**
 * Commits that the callee talks to a third party over a second leg, and what a minute of that leg costs. A call that is free
 * stays free. Throws LeaseLost when the call is no longer this run's.
 */
export function commitBridged(db: Database, call: CallRow, to: string, talkedMs: number): Promise<CallRow> {
  return inTransaction(db, async (tx) => {
    const locked = await lockOwnCall(tx, call.id, call.fence);
    const perMinuteMicros = locked.mode === "live" ? (await findRate(tx, to, locked.engine)).routePerMinuteMicros : 0n;
    const afterSeconds = Math.ceil(talkedMs / 1000);
    return (await setBridged(tx, locked, { perMinuteMicros, afterSeconds })) ?? locked;
  });
}
