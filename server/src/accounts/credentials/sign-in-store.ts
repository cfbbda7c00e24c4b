import type { Role } from "@parley/contract/scopes";
import { type Database, run, type Tx } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";

export interface FoundSignIn {
  readonly id: string;
  readonly token_digest: Buffer;
  readonly is_touch_due: boolean;
  readonly member_id: string;
  readonly account_id: string;
  readonly role: Role;
  readonly is_operator: boolean;
  readonly has_second_factor: boolean;
  readonly email: string | null;
}

export interface SignInInsert {
  readonly id: string;
  readonly memberId: string;
  readonly tokenDigest: Buffer;
  readonly ip: string | null;
  readonly client: string | null;
}

const IS_LIVE = "s.expires_at > clock_timestamp() and s.last_seen_at > clock_timestamp() - interval '12 hours'";

const FIND = `/* find_sign_in */
  select s.id, s.token_digest, s.last_seen_at < clock_timestamp() - interval '1 minute' as is_touch_due,
    m.id as member_id, m.account_id, m.role, m.is_operator, m.email, f.member_id is not null as has_second_factor
  from sign_ins s join members m on m.id = s.member_id
    left join second_factors f on f.member_id = m.id and f.confirmed_at is not null
  where s.token_digest = $1 and ${IS_LIVE}`;

/** A sign-in that was seen in the last 12 hours and is not older than 7 days. Every cookie request runs this. */
export async function findSignInByDigest(db: Database, digest: Buffer): Promise<FoundSignIn | null> {
  const [row] = await run<FoundSignIn>(db, FIND, [digest]);
  return row ?? null;
}

/** Notes that a sign-in is in use; of several requests in one minute only the first writes. */
export async function touchSignIn(db: Database, id: string): Promise<void> {
  await run(
    db,
    `/* touch_sign_in */ update sign_ins set last_seen_at = clock_timestamp()
     where id = $1 and last_seen_at < clock_timestamp() - interval '1 minute'`,
    [id],
  );
}

export async function insertSignIn(tx: Tx, signIn: SignInInsert): Promise<void> {
  await run(
    tx,
    `insert into sign_ins (id, member_id, token_digest, ip, client, expires_at)
     values ($1, $2, $3, $4, $5, clock_timestamp() + interval '7 days')`,
    [signIn.id, signIn.memberId, signIn.tokenDigest, signIn.ip, signIn.client],
  );
}

export interface SignInRow {
  readonly id: string;
  readonly ip: string | null;
  readonly client: string | null;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly expires_at: Date;
}

/** Where a member is signed in, the latest first. */
export async function listSignInRows(
  db: Database,
  memberId: string,
  limit: number,
  after: { readonly createdAt: Date; readonly id: string } | null,
): Promise<SignInRow[]> {
  return run(
    db,
    `/* list_sign_ins */
     select s.id, s.ip, s.client, s.created_at, s.last_seen_at, s.expires_at from sign_ins s
     where s.member_id = $1 and ${IS_LIVE} and ($2::timestamptz is null or (s.created_at, s.id) < ($2, $3))
     order by s.created_at desc, s.id desc limit $4`,
    [memberId, after?.createdAt ?? null, after?.id ?? null, limit],
  );
}

/** Ends one sign-in of a member; false when they have no such one. */
export async function deleteSignInOf(tx: Tx, memberId: string, id: string): Promise<boolean> {
  const rows = await run<{ id: string }>(
    tx,
    `/* delete_sign_in_of */ delete from sign_ins s where s.id = $1 and s.member_id = $2 and ${IS_LIVE} returning s.id`,
    [id, memberId],
  );
  return rows.length > 0;
}

/** Ends every sign-in of a member but one, and says how many were in use. */
export async function deleteOtherSignIns(tx: Tx, memberId: string, keptId: string): Promise<number> {
  const rows = await run<{ is_live: boolean }>(
    tx,
    `/* delete_other_sign_ins */ delete from sign_ins s where s.member_id = $1 and s.id <> $2 returning ${IS_LIVE} as is_live`,
    [memberId, keptId],
  );
  return rows.filter((row) => row.is_live).length;
}

/** Ends the sign-in with this token and says whose it was; null when there is none. */
export async function deleteSignInByDigest(
  tx: Tx,
  digest: Buffer,
): Promise<{ readonly member_id: string; readonly account_id: string } | null> {
  const [row] = await run<{ member_id: string; account_id: string }>(
    tx,
    `/* delete_sign_in_by_digest */ delete from sign_ins s using members m
     where m.id = s.member_id and s.token_digest = $1 returning m.id as member_id, m.account_id`,
    [digest],
  );
  return row ?? null;
}

export async function deleteSignIn(db: Database, id: string): Promise<void> {
  await db.deleteFrom("sign_ins").where("id", "=", id).execute();
}

/** Ends every sign-in of a member, including those that still wait for a code. */
export async function deleteSignInsOf(tx: Tx, memberId: string): Promise<void> {
  await tx.deleteFrom("sign_in_challenges").where("member_id", "=", memberId).execute();
  await tx.deleteFrom("sign_ins").where("member_id", "=", memberId).execute();
}

/** Takes away sign-ins that can no longer be used. */
export async function deleteDeadSignIns(db: Database): Promise<void> {
  const where = "(expires_at < clock_timestamp() or last_seen_at < clock_timestamp() - interval '12 hours')";
  await deleteInBatches(db, { table: "sign_ins", where });
}
