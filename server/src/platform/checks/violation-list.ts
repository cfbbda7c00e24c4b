import type { CheckResult } from "./check-invariants.ts";
import type { Violation } from "./check-store.ts";

/** Enough to see what went wrong; the total tells how often. */
const LISTED_MAX = 100;

/** Collects what breaks a check that is not made in the database. */
export class ViolationList {
  readonly #listed: Violation[] = [];
  #total = 0;

  add(subject: string, detail: string): void {
    this.#total += 1;
    if (this.#listed.length < LISTED_MAX) this.#listed.push({ subject, detail });
  }

  toResult(name: string, promise: string): CheckResult {
    return { name, promise, violations: this.#listed, total: this.#total };
  }
}
