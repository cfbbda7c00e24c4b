import { AppError } from "@parley/contract/errors";
import { type Database, inTransaction, type Tx } from "../platform/database/database.ts";
import {
  type CountedAttempt,
  deleteAttempts,
  insertAttempt,
  lockSubjects,
  readAttempts,
  takeBackAttempt,
} from "./attempt-store.ts";

/** How often something may fail within a window that slides. */
export interface AttemptLimit {
  readonly subject: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** An attempt that has been counted. It stays counted unless it is taken back. */
export interface CountedTry {
  readonly at: Date;
}

/**
 * Counts an attempt before it is made and throws 429 when one of the limits is used up. Counting first is what holds
 * the limit when a thousand guesses arrive at the same moment.
 */
export async function countAttempt(db: Database, limits: readonly AttemptLimit[]): Promise<CountedTry> {
  const sorted = [...limits].sort((a, b) => (a.subject < b.subject ? -1 : 1));
  const subjects = sorted.map((limit) => limit.subject);
  const outcome = await inTransaction(db, async (tx) => {
    await lockSubjects(tx, subjects);
    const attempts = await readAttempts(
      tx,
      subjects,
      sorted.map((limit) => limit.windowSeconds),
    );
    const waitSeconds = Math.max(0, ...sorted.map((limit) => waitFor(limit, attempts)));
    return waitSeconds > 0 ? { waitSeconds } : { at: await insertAttempt(tx, subjects) };
  });
  if (outcome.at) return { at: outcome.at };
  throw new AppError("too_many_attempts", "Too many attempts; wait a while.", {
    retryAfterSeconds: Math.max(1, Math.ceil(outcome.waitSeconds)),
  });
}

/** Whether there is still room, counted if there is; for things that are left out rather than refused. */
export async function isWithinLimit(db: Database, limit: AttemptLimit): Promise<boolean> {
  try {
    await countAttempt(db, [limit]);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many_attempts") return false;
    throw error;
  }
}

/** Lets subjects begin anew. */
export async function forgetAttempts(tx: Tx, limits: readonly AttemptLimit[]): Promise<void> {
  await deleteAttempts(
    tx,
    limits.map((limit) => limit.subject),
  );
}

/** After a success: the attempt was none, and `cleared` subjects begin anew. */
export async function forgiveAttempt(
  tx: Tx,
  counted: CountedTry,
  limits: readonly AttemptLimit[],
  cleared: readonly AttemptLimit[],
): Promise<void> {
  await forgetAttempts(tx, cleared);
  await takeBackAttempt(
    tx,
    limits.filter((limit) => !cleared.includes(limit)).map((limit) => limit.subject),
    counted.at,
  );
}

/** Newest first: the attempt that fills the limit must grow old before there is room again. */
function waitFor(limit: AttemptLimit, attempts: readonly CountedAttempt[]): number {
  let total = 0;
  for (const attempt of attempts) {
    if (attempt.subject !== limit.subject) continue;
    total += attempt.failures;
    if (total >= limit.max) return attempt.leaves_in_seconds;
  }
  return 0;
}
