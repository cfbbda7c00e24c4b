import { type Database, run, type Tx } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";

export type LinkKind = "claim" | "invite" | "reset";

export interface LinkInsert {
  readonly id: string;
  readonly kind: LinkKind;
  readonly memberId: string;
  readonly tokenDigest: Buffer;
  /** Null: good until it is used. */
  readonly lastsHours: number | null;
}

export interface OpenLink {
  readonly kind: LinkKind;
  readonly token_digest: Buffer;
  readonly member_id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly email: string | null;
}

export async function insertLink(tx: Database, link: LinkInsert): Promise<void> {
  await run(
    tx,
    `insert into links (id, kind, member_id, token_digest, expires_at)
     values ($1, $2, $3, $4, coalesce(clock_timestamp() + make_interval(hours => $5::int), 'infinity'))`,
    [link.id, link.kind, link.memberId, link.tokenDigest, link.lastsHours],
  );
}

/**
 * Creates a reset link for the member with the e-mail, in one statement that takes as long without such a member. One
 * who was invited and has not joined gets none: it would make them join another person's account by a mail that does
 * not say so. They are the members without a password who are not alone: the owner of an unclaimed account is.
 */
export async function insertResetLinkFor(
  tx: Database,
  email: string,
  link: { id: string; tokenDigest: Buffer; lastsHours: number },
): Promise<{ memberId: string; accountId: string } | null> {
  const [row] = await run<{ member_id: string; account_id: string }>(
    tx,
    `with member as (
       select id, account_id from members m
       where email = $1
         and (password_hash is not null
           or not exists (select 1 from members other where other.account_id = m.account_id and other.id <> m.id))
     ),
     made as (
       insert into links (id, kind, member_id, token_digest, expires_at)
       select $2, 'reset', id, $3, clock_timestamp() + make_interval(hours => $4::int) from member
       returning member_id
     )
     select made.member_id, member.account_id from made join member on member.id = made.member_id`,
    [email, link.id, link.tokenDigest, link.lastsHours],
  );
  return row ? { memberId: row.member_id, accountId: row.account_id } : null;
}

const IS_OPEN = "used_at is null and expires_at > clock_timestamp()";

/** The link, if it could be used now. */
export async function findOpenLink(db: Database, digest: Buffer, kinds: readonly LinkKind[]): Promise<OpenLink | null> {
  const [row] = await run<OpenLink>(
    db,
    `select l.kind, l.token_digest, m.id as member_id, m.account_id, a.name as account_name, m.email
     from links l join members m on m.id = l.member_id join accounts a on a.id = m.account_id
     where l.token_digest = $1 and l.kind = any($2::text[]) and ${IS_OPEN}`,
    [digest, kinds],
  );
  return row ?? null;
}

/** Uses the link. Of two concurrent requests the second waits for the first and then finds it used. */
export async function useLink(tx: Tx, digest: Buffer): Promise<boolean> {
  const rows = await run<{ id: string }>(
    tx,
    `update links set used_at = clock_timestamp() where token_digest = $1 and ${IS_OPEN} returning id`,
    [digest],
  );
  return rows.length > 0;
}

/** Ends all open links of a member who has set a password. */
export async function endLinksOf(tx: Tx, memberId: string): Promise<void> {
  await run(tx, "update links set used_at = clock_timestamp() where member_id = $1 and used_at is null", [memberId]);
}

/** Links are kept for a month after they ended, so that one can see what happened. */
export async function deleteDeadLinks(db: Database): Promise<void> {
  const where = "least(used_at, expires_at) < clock_timestamp() - interval '30 days'";
  await deleteInBatches(db, { table: "links", where });
}
