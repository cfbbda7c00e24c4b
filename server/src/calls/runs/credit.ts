import { AppError } from "@parley/contract/errors";
import type { NamedTimers } from "@parley/time/named-timers";
import { findRate } from "../../accounts/credits/find-rate.ts";
import { holdCredit } from "../../accounts/credits/hold-credit.ts";
import { priceCall, secondsPaidFor } from "../../accounts/credits/price-call.ts";
import { readCallCapMicros } from "../../accounts/credits/read-call-cap.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import { type CallRow, pricesOf } from "../call-record.ts";
import { recordCallEvent } from "../event-store.ts";
import { lockOwnCall } from "./lease-store.ts";
import { addHeld, setBridged } from "./progress-store.ts";

type CreditEnd = Extract<CreditVerdict, { readonly ok: false }>["reason"];

interface RunCreditParts {
  readonly timers: NamedTimers;
  call(): CallRow;
  isTalking(): boolean;
  talkedMs(): number;
  /** Sets another minute aside, behind whatever else is being written. */
  extend(): void;
  /** How long before the end a goodbye is begun. */
  readonly farewellLeadMs: number;
  onNearlyEnd(reason: CreditEnd): void;
  onEnd(reason: CreditEnd): void;
}

const LOOK_MS = 5000;

/** Looks now and then whether what is held still pays for a while; cuts the call when it no longer does. */
export class RunCredit {
  readonly #parts: RunCreditParts;

  constructor(parts: RunCreditParts) {
    this.#parts = parts;
  }

  watch(): void {
    const { timers, isTalking, call, talkedMs, extend } = this.#parts;
    if (!isTalking()) return;
    if (paidSeconds(call()) >= call().max_duration_seconds) return this.#stop();
    this.#endWhenUnpaid("insufficient_credit");
    if (needsMoreCredit(call(), talkedMs())) extend();
    timers.set("credit-look", LOOK_MS, () => this.watch());
  }

  #stop(): void {
    for (const name of ["credit", "credit-nearly"]) this.#parts.timers.cancel(name);
  }

  /** No more could be set aside: what is held is all there is. */
  refused(reason: CreditEnd): void {
    this.#endWhenUnpaid(reason);
  }

  #endWhenUnpaid(reason: CreditEnd): void {
    const { timers, call, talkedMs, farewellLeadMs, onNearlyEnd, onEnd } = this.#parts;
    const leftMs = Math.max(0, paidSeconds(call()) * 1000 - talkedMs());
    timers.set("credit", leftMs, () => onEnd(reason));
    timers.set("credit-nearly", Math.max(0, leftMs - farewellLeadMs), () => onNearlyEnd(reason));
  }
}

/** While talking, the hold grows by this much whenever less than this much remains. */
const STEP_SECONDS = 60;

/** How many seconds of talk what is held pays for; no more than the call may last. A call that is not charged may last that long. */
export function paidSeconds(call: CallRow): number {
  if (!call.is_charged) return call.max_duration_seconds;
  return secondsPaidFor(pricesOf(call), call.held_micros, call.max_duration_seconds);
}

type CreditVerdict =
  | { readonly ok: true; readonly call: CallRow }
  | { readonly ok: false; readonly reason: "insufficient_credit" | "spend_limit" };

/** Whether the hold must grow now, given how long the callee has been talking. */
export function needsMoreCredit(call: CallRow, talkedMs: number): boolean {
  const paid = paidSeconds(call);
  return paid < call.max_duration_seconds && paid - talkedMs / 1000 < STEP_SECONDS;
}

/** As many of the wanted seconds as one call may cost. Throws `spend_limit_reached` when that is none. */
async function withinCallCap(tx: Tx, call: CallRow, wanted: number): Promise<number> {
  const capMicros = await readCallCapMicros(tx, call.account_id);
  if (capMicros === null) return wanted;
  const seconds = secondsPaidFor(pricesOf(call), capMicros, wanted);
  if (seconds > paidSeconds(call)) return seconds;
  throw new AppError("spend_limit_reached", "The call has cost as much as one call may.");
}

/** Sets another minute aside, or says why it cannot. */
export async function extendHold(db: Database, callId: string, fence: bigint): Promise<CreditVerdict> {
  try {
    const call = await inTransaction(db, async (tx) => {
      const locked = await lockOwnCall(tx, callId, fence);
      const wanted = Math.min(paidSeconds(locked) + STEP_SECONDS, locked.max_duration_seconds);
      const seconds = await withinCallCap(tx, locked, wanted);
      const micros = priceCall(pricesOf(locked), seconds).totalMicros - locked.held_micros;
      if (micros <= 0n) return locked;
      const { account_id: accountId, api_key_id: keyId, held_on: day, phone_number: phoneNumber } = locked;
      const before = { day, phoneNumber, heldMicros: locked.held_micros };
      await holdCredit(tx, { accountId, callId, keyId, micros, kind: "hold_extended", ...before });
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

/**
 * Writes down that the callee talks with somebody else over a second leg, and what a minute of that costs. A call that
 * costs nothing goes on costing nothing. Throws LeaseLost when the call is no longer this run's.
 */
export function commitBridged(db: Database, call: CallRow, to: string, talkedMs: number): Promise<CallRow> {
  return inTransaction(db, async (tx) => {
    const locked = await lockOwnCall(tx, call.id, call.fence);
    const perMinuteMicros = locked.mode === "live" ? (await findRate(tx, to, locked.engine)).routePerMinuteMicros : 0n;
    const afterSeconds = Math.ceil(talkedMs / 1000);
    return (await setBridged(tx, locked, { perMinuteMicros, afterSeconds })) ?? locked;
  });
}
