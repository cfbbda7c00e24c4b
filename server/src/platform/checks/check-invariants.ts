import { type Database, openDatabase } from "../database/database.ts";
import { CALL_CHECKS } from "./call-checks-store.ts";
import { findViolations, inSnapshot, type ViolationPage } from "./check-store.ts";
import { EVENT_CHECKS, MONTH_CHECKS, TRANSCRIPT_CHECKS, WEBHOOK_CHECKS } from "./event-checks-store.ts";
import type { InvariantCheck } from "./invariant-check.ts";
import { MONEY_CHECKS } from "./money-checks-store.ts";

export const INVARIANT_CHECKS: readonly InvariantCheck[] = [
  ...CALL_CHECKS,
  ...EVENT_CHECKS,
  ...WEBHOOK_CHECKS,
  ...MONEY_CHECKS,
  ...TRANSCRIPT_CHECKS,
  ...MONTH_CHECKS,
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

/** Called before each check, with its place among them. */
export type OnCheck = (name: string, place: number, count: number) => void;

// A check of an installation with hundreds of millions of rows takes long, and only its operator knows how long is too long.
const ANSWER_WITHIN_MS = 86_400_000;

/** Checks all invariants on a connection of its own, which waits for the answer however large the database is. */
export async function checkDatabase(
  url: string,
  { asOf = null, onCheck }: { readonly asOf?: Date | null; readonly onCheck?: OnCheck } = {},
): Promise<CheckReport> {
  const db = openDatabase({
    url,
    connectionsMax: 1,
    applicationName: "parley-check",
    answerWithinMs: ANSWER_WITHIN_MS,
    onIdleError: () => undefined,
  });
  try {
    return await checkInvariants(db, asOf, onCheck);
  } finally {
    await db.destroy();
  }
}

/**
 * Checks all invariants. All checks see the same snapshot, so it can run at any time
 * beside a busy service. `asOf` judges leases and deadlines by another moment, such as that of a backup.
 */
export function checkInvariants(db: Database, asOf: Date | null = null, onCheck?: OnCheck): Promise<CheckReport> {
  return inSnapshot(db, (snapshot) => runChecks(snapshot, asOf, onCheck));
}

/** The same on a connection that is already in a transaction. */
export async function runChecks(db: Database, asOf: Date | null, onCheck?: OnCheck): Promise<CheckReport> {
  const results: CheckResult[] = [];
  for (const [index, check] of INVARIANT_CHECKS.entries()) {
    onCheck?.(check.name, index + 1, INVARIANT_CHECKS.length);
    const page = await findViolations(db, check, asOf, LISTED_MAX);
    results.push({ name: check.name, promise: check.promise, ...page });
  }
  return { ok: results.every(({ total }) => total === 0), results };
}
