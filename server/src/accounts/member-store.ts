import type { Member } from "@parley/contract/accounts";
import type { Role } from "@parley/contract/scopes";
import type { Database, Tx } from "../platform/database/database.ts";

export interface MemberRow {
  readonly id: string;
  readonly account_id: string;
  readonly email: string | null;
  readonly password_hash: string | null;
  readonly role: Role;
  readonly is_operator: boolean;
  readonly created_at: Date;
}

export interface MemberInsert {
  readonly id: string;
  readonly accountId: string;
  readonly email: string | null;
  readonly passwordHash: string | null;
  readonly role: Role;
  readonly isOperator: boolean;
}

/** The unique index that says an e-mail belongs to one member of the whole installation. */
export const EMAIL_TAKEN = "members_by_email";

/** Throws a violation of `EMAIL_TAKEN` when another member has the e-mail. */
export async function insertMember(tx: Tx, member: MemberInsert): Promise<MemberRow> {
  return tx
    .insertInto("members")
    .values({
      id: member.id,
      account_id: member.accountId,
      email: member.email,
      password_hash: member.passwordHash,
      role: member.role,
      is_operator: member.isOperator,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findMemberByEmail(db: Database, email: string): Promise<MemberRow | null> {
  return (await db.selectFrom("members").selectAll().where("email", "=", email).executeTakeFirst()) ?? null;
}

export async function findMember(db: Database, memberId: string): Promise<MemberRow | null> {
  return (await db.selectFrom("members").selectAll().where("id", "=", memberId).executeTakeFirst()) ?? null;
}

/** The operator who has not claimed the first account yet, if there is one and no other operator can sign in. */
export async function findUnclaimedOwner(db: Database): Promise<MemberRow | null> {
  const row = await db
    .selectFrom("members")
    .selectAll()
    .where("is_operator", "=", true)
    .where("email", "is", null)
    .where("password_hash", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("members as other")
            .select("other.id")
            .where("other.is_operator", "=", true)
            .where("other.password_hash", "is not", null),
        ),
      ),
    )
    .orderBy("created_at")
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Holds a member as they are until the transaction ends, and says whether the password is still the one that was
 * checked: a sign-in with the old password must not slip past a change that ends all sign-ins.
 */
export async function holdMemberWithPassword(tx: Tx, memberId: string, passwordHash: string): Promise<boolean> {
  const row = await tx
    .selectFrom("members")
    .select("id")
    .where("id", "=", memberId)
    .where("password_hash", "=", passwordHash)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Holds a member alone until the transaction ends. Changes to links and passwords take this lock first, so transactions never deadlock. */
export async function lockMember(tx: Tx, memberId: string): Promise<void> {
  await tx.selectFrom("members").select("id").where("id", "=", memberId).forNoKeyUpdate().execute();
}

/** Sets a password if it is still the one that was checked; false when it was changed meanwhile. */
export async function replacePassword(tx: Tx, memberId: string, checked: string, next: string): Promise<boolean> {
  const row = await tx
    .updateTable("members")
    .set({ password_hash: next })
    .where("id", "=", memberId)
    .where("password_hash", "=", checked)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function setPassword(tx: Tx, memberId: string, passwordHash: string): Promise<void> {
  await tx.updateTable("members").set({ password_hash: passwordHash }).where("id", "=", memberId).execute();
}

/** Throws a violation of `EMAIL_TAKEN` when another member has the e-mail. */
export async function setEmail(tx: Tx, memberId: string, email: string): Promise<void> {
  await tx.updateTable("members").set({ email }).where("id", "=", memberId).execute();
}

export async function setRole(tx: Tx, memberId: string, role: Role): Promise<MemberRow> {
  return tx.updateTable("members").set({ role }).where("id", "=", memberId).returningAll().executeTakeFirstOrThrow();
}

export interface MemberPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Members and open invitations, in the order they came. */
export async function listMemberRows(
  db: Database,
  accountId: string,
  limit: number,
  after: MemberPosition | null,
): Promise<MemberRow[]> {
  let query = db
    .selectFrom("members")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit);
  if (after) {
    query = query.where((eb) =>
      eb(eb.refTuple("created_at", "id"), ">", eb.tuple(eb.val(after.createdAt), eb.val(after.id))),
    );
  }
  return query.execute();
}

/** How many others could still run the account, or the installation, without this member. */
export async function countOthers(tx: Tx, member: MemberRow): Promise<{ owners: number; operators: number }> {
  const others = await tx
    .selectFrom("members")
    .select(["account_id", "role", "is_operator"])
    .where("id", "<>", member.id)
    .where("password_hash", "is not", null)
    .where((eb) => eb.or([eb("account_id", "=", member.account_id), eb("is_operator", "=", true)]))
    .execute();
  return {
    owners: others.filter((other) => other.account_id === member.account_id && other.role === "owner").length,
    operators: others.filter((other) => other.is_operator).length,
  };
}

/** Sign-ins and links go with the member. */
export async function deleteMember(tx: Tx, memberId: string): Promise<void> {
  await tx.deleteFrom("members").where("id", "=", memberId).execute();
}

/** A member as the API shows them. Without a password they have been invited and have not come yet. */
export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    isOperator: row.is_operator,
    status: row.password_hash === null ? "invited" : "active",
    createdAt: row.created_at.toISOString(),
  };
}
