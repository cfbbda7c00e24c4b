import type { Database } from "../database/database.ts";
import { CALL_CHECKS } from "./call-checks-store.ts";
import { findViolations, inSnapshot, type ViolationPage } from "./check-store.ts";
import { EVENT_CHECKS, TRANSCRIPT_CHECKS, WEBHOOK_CHECKS } from "./event-checks-store.ts";
import type { InvariantCheck } from "./invariant-check.ts";
import { MONEY_CHECKS } from "./money-checks-store.ts";

export const INVARIANT_CHECKS: readonly InvariantCheck[] = [
  ...CALL_CHECKS,
  ...EVENT_CHECKS,
  ...WEBHOOK_CHECKS,
  ...MONEY_CHECKS,
  ...TRANSCRIPT_CHECKS,
];

// Enough examples; the total shows how many there are.
const LISTED_MAX = 100;

export interface CheckResult extends ViolationPage {
  readonly name: string;
  readonly promise: string;
}

export interface CheckReport {
  readonly ok: boolean;
  readonly results: readonly CheckResult[];
}

/**
 * Checks all invariants. All checks see the same snapshot, so it can run at any time
 * beside a busy service. `asOf` judges leases and deadlines by another moment, such as that of a backup.
 */
export function checkInvariants(db: Database, asOf: Date | null = null): Promise<CheckReport> {
  return inSnapshot(db, (snapshot) => runChecks(snapshot, asOf));
}

/** The same on a connection that is already in a transaction. */
export async function runChecks(db: Database, asOf: Date | null): Promise<CheckReport> {
  const results: CheckResult[] = [];
  for (const check of INVARIANT_CHECKS) {
    const page = await findViolations(db, check, asOf, LISTED_MAX);
    results.push({ name: check.name, promise: check.promise, ...page });
  }
  return { ok: results.every(({ total }) => total === 0), results };
}
