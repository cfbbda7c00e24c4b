import { type Database, run, type Tx } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";

export interface SecondFactorRow {
  readonly secret_sealed: Buffer;
  readonly last_step: bigint;
}

/** Keeps a new secret that is not confirmed yet; false when the member's second factor is already on. */
export async function insertSecondFactor(tx: Tx, memberId: string, sealed: Buffer): Promise<boolean> {
  const rows = await run<{ member_id: string }>(
    tx,
    `/* insert_second_factor */
     insert into second_factors as f (member_id, secret_sealed) values ($1, $2)
     on conflict (member_id) do update set secret_sealed = $2, created_at = clock_timestamp()
     where f.confirmed_at is null
     returning member_id`,
    [memberId, sealed],
  );
  return rows.length > 0;
}

/** Holds the member's second factor until the transaction ends, so that of two requests with one code one wins. */
export async function lockSecondFactor(
  tx: Tx,
  memberId: string,
  state: "confirmed" | "unconfirmed",
): Promise<SecondFactorRow | null> {
  const row = await tx
    .selectFrom("second_factors")
    .select(["secret_sealed", "last_step"])
    .where("member_id", "=", memberId)
    .where("confirmed_at", state === "confirmed" ? "is not" : "is", null)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function confirmSecondFactorRow(tx: Tx, memberId: string): Promise<void> {
  await run(tx, "update second_factors set confirmed_at = clock_timestamp() where member_id = $1", [memberId]);
}

export async function setLastStep(tx: Tx, memberId: string, step: number): Promise<void> {
  await run(tx, "update second_factors set last_step = $2 where member_id = $1", [memberId, step]);
}

/** Recovery codes go with it. False when there was none. */
export async function deleteSecondFactor(tx: Tx, memberId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom("second_factors")
    .where("member_id", "=", memberId)
    .returning("confirmed_at")
    .executeTakeFirst();
  return row !== undefined && row.confirmed_at !== null;
}

export async function hasSecondFactor(db: Database, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom("second_factors")
    .select("member_id")
    .where("member_id", "=", memberId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readSecondFactorRow(
  db: Database,
  memberId: string,
): Promise<{ readonly confirmed_at: Date; readonly codes_left: number } | null> {
  const [row] = await run<{ confirmed_at: Date; codes_left: number }>(
    db,
    `/* read_second_factor */
     select f.confirmed_at,
       (select count(*)::int from recovery_codes c where c.member_id = f.member_id and c.used_at is null) as codes_left
     from second_factors f where f.member_id = $1 and f.confirmed_at is not null`,
    [memberId],
  );
  return row ?? null;
}

export async function replaceRecoveryCodeRows(tx: Tx, memberId: string, digests: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom("recovery_codes").where("member_id", "=", memberId).execute();
  await tx
    .insertInto("recovery_codes")
    .values(digests.map((code_digest) => ({ member_id: memberId, code_digest })))
    .execute();
}

/** Uses a recovery code up; false when the member has no such code, or it was used before. */
export async function useRecoveryCode(tx: Tx, memberId: string, digest: Buffer): Promise<boolean> {
  const rows = await run<{ member_id: string }>(
    tx,
    `/* use_recovery_code */ update recovery_codes set used_at = clock_timestamp()
     where member_id = $1 and code_digest = $2 and used_at is null returning member_id`,
    [memberId, digest],
  );
  return rows.length > 0;
}

export interface ChallengeRow {
  readonly member_id: string;
  readonly account_id: string;
  readonly email: string | null;
  readonly password_hash: string | null;
}

/** Says until when a sign-in waits for its code. */
export async function insertChallenge(tx: Tx, memberId: string, digest: Buffer): Promise<Date> {
  const [row] = await run<{ expires_at: Date }>(
    tx,
    `/* insert_challenge */ insert into sign_in_challenges (token_digest, member_id, expires_at)
     values ($1, $2, clock_timestamp() + interval '5 minutes') returning expires_at`,
    [digest, memberId],
  );
  if (!row) throw new Error("the challenge was not kept");
  return row.expires_at;
}

export async function findChallenge(db: Database, digest: Buffer): Promise<ChallengeRow | null> {
  const [row] = await run<ChallengeRow>(
    db,
    `/* find_challenge */ select m.id as member_id, m.account_id, m.email, m.password_hash
     from sign_in_challenges c join members m on m.id = c.member_id
     where c.token_digest = $1 and c.expires_at > clock_timestamp()`,
    [digest],
  );
  return row ?? null;
}

/** Uses a challenge up; false when it was used or has run out meanwhile. */
export async function deleteChallenge(tx: Tx, digest: Buffer): Promise<boolean> {
  const rows = await run<{ member_id: string }>(
    tx,
    `/* delete_challenge */ delete from sign_in_challenges
     where token_digest = $1 and expires_at > clock_timestamp() returning member_id`,
    [digest],
  );
  return rows.length > 0;
}

export async function deleteDeadChallenges(db: Database): Promise<void> {
  await deleteInBatches(db, { table: "sign_in_challenges", where: "expires_at < clock_timestamp()" });
}
