import type { Role } from "@parley/contract/scopes";
import { type Database, run, type Tx } from "../database/database.ts";

export interface FoundSignIn {
  readonly id: string;
  readonly token_digest: Buffer;
  readonly is_touch_due: boolean;
  readonly member_id: string;
  readonly account_id: string;
  readonly role: Role;
  readonly is_operator: boolean;
  readonly email: string | null;
}

export interface SignInInsert {
  readonly id: string;
  readonly memberId: string;
  readonly tokenDigest: Buffer;
  readonly ip: string | null;
  readonly client: string | null;
}

const FIND = `/* find_sign_in */
  select s.id, s.token_digest, s.last_seen_at < clock_timestamp() - interval '1 minute' as is_touch_due,
    m.id as member_id, m.account_id, m.role, m.is_operator, m.email
  from sign_ins s join members m on m.id = s.member_id
  where s.token_digest = $1 and s.expires_at > clock_timestamp()
    and s.last_seen_at > clock_timestamp() - interval '12 hours'`;

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

export async function deleteSignIn(db: Database, id: string): Promise<void> {
  await db.deleteFrom("sign_ins").where("id", "=", id).execute();
}

export async function deleteSignInsOf(tx: Tx, memberId: string): Promise<void> {
  await tx.deleteFrom("sign_ins").where("member_id", "=", memberId).execute();
}

/** Takes away sign-ins that can no longer be used. */
export async function deleteDeadSignIns(db: Database): Promise<void> {
  await run(
    db,
    `delete from sign_ins where expires_at < clock_timestamp() or last_seen_at < clock_timestamp() - interval '12 hours'`,
  );
}
