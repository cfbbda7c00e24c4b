import { AppError } from "@parley/contract/errors";
import ipaddr from "ipaddr.js";
import type { Secrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
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

/** A counted attempt. It stays counted unless it is reverted. */
export interface CountedTry {
  readonly at: Date;
}

/**
 * Counts an attempt before it is made and throws 429 when one of the limits is used up. Counting first is what holds
 * the limit when a thousand guesses arrive concurrently.
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

/** Resets subjects. */
export async function forgetAttempts(tx: Tx, limits: readonly AttemptLimit[]): Promise<void> {
  await deleteAttempts(
    tx,
    limits.map((limit) => limit.subject),
  );
}

/** After a success: the attempt does not count, and `cleared` subjects are reset. */
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

/** Newest first: the attempt that fills the limit must expire before another is allowed. */
function waitFor(limit: AttemptLimit, attempts: readonly CountedAttempt[]): number {
  let total = 0;
  for (const attempt of attempts) {
    if (attempt.subject !== limit.subject) continue;
    total += attempt.failures;
    if (total >= limit.max) return attempt.leaves_in_seconds;
  }
  return 0;
}

const QUARTER_HOUR_SECONDS = 15 * 60;
const HOUR_SECONDS = 3600;

export interface SignInLimits {
  readonly emailAndAddress: AttemptLimit;
  readonly email: AttemptLimit;
  readonly address: AttemptLimit;
}

/** People type passwords into the e-mail field, so the table holds digests of what was typed. */
export function signInLimits(secrets: Pick<Secrets, "digest">, email: string, ip: string): SignInLimits {
  const who = digestOf(secrets, email);
  const where = addressBlock(ip);
  return {
    emailAndAddress: { subject: `sign-in ${who} ${where}`, max: 5, windowSeconds: QUARTER_HOUR_SECONDS },
    email: { subject: `sign-in ${who}`, max: 20, windowSeconds: HOUR_SECONDS },
    address: addressLimit(ip),
  };
}

/** Wrong passwords and wrong links from one address. */
export function addressLimit(ip: string): AttemptLimit {
  return { subject: `address ${addressBlock(ip)}`, max: 100, windowSeconds: HOUR_SECONDS };
}

/** Every sign-up counts, even successful ones: each grants credit. */
export function signUpLimit(ip: string): AttemptLimit {
  return { subject: `sign-up ${addressBlock(ip)}`, max: 50, windowSeconds: HOUR_SECONDS };
}

export function passwordChangeLimit(memberId: string): AttemptLimit {
  return { subject: `password ${memberId}`, max: 5, windowSeconds: QUARTER_HOUR_SECONDS };
}

/** Limits requests for reset links, so that mailboxes are not flooded. The response is the same for unknown addresses. */
export function resetRequestLimits(secrets: Pick<Secrets, "digest">, email: string, ip: string): AttemptLimit[] {
  return [
    { subject: `reset ${digestOf(secrets, email)}`, max: 5, windowSeconds: HOUR_SECONDS },
    { subject: `reset-from ${addressBlock(ip)}`, max: 20, windowSeconds: HOUR_SECONDS },
  ];
}

export function inviteMailLimit(accountId: string): AttemptLimit {
  return { subject: `invite-mail ${accountId}`, max: 20, windowSeconds: HOUR_SECONDS };
}

function digestOf(secrets: Pick<Secrets, "digest">, email: string): string {
  return secrets.digest(`attempts\n${email}`).toString("base64url").slice(0, 22);
}

/** One IPv6 customer has a whole /64, so that is what counts as one address. */
export function addressBlock(ip: string): string {
  const bare = ip.split("%")[0] ?? ip;
  if (!ipaddr.isValid(bare)) return bare;
  const address = ipaddr.process(bare);
  if (address.kind() === "ipv4") return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}
