import type { CallRow } from "../call-record.ts";
import { type CreditVerdict, needsMoreCredit, paidSeconds } from "./credit-watch.ts";
import type { RunTimers } from "./run-timers.ts";

export type CreditEnd = Extract<CreditVerdict, { readonly ok: false }>["reason"];

export interface RunCreditParts {
  readonly timers: RunTimers;
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
