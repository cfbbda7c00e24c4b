import type { AuditQuery } from "@parley/contract/accounts";
import { sql } from "kysely";
import { type Database, inTransaction, run } from "../../platform/database/database.ts";

export interface AuditRow {
  readonly id: string;
  readonly actor: string;
  /** Null for an actor that is not, or no longer, part of the account. */
  readonly actor_name: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly ip: string | null;
  readonly data: Record<string, unknown>;
  readonly created_at: Date;
}

export interface AuditInsert {
  readonly id: string;
  readonly accountId: string | null;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly ip: string | null;
  readonly client: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function insertAudit(db: Database, entry: AuditInsert): Promise<void> {
  await run(
    db,
    `/* insert_audit */ insert into audit_log (id, account_id, actor, action, target, ip, client, data)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      entry.id,
      entry.accountId,
      entry.actor,
      entry.action,
      entry.target,
      entry.ip,
      entry.client,
      JSON.stringify(entry.data),
    ],
  );
}

export interface AuditPosition {
  readonly createdAt: Date;
  readonly id: string;
}

export type AuditFilter = Pick<AuditQuery, "action" | "actor" | "createdAfter" | "createdBefore">;

/** The account's entries, newest first. */
export async function listAuditRows(
  db: Database,
  accountId: string,
  filter: AuditFilter,
  limit: number,
  after: AuditPosition | null,
): Promise<AuditRow[]> {
  let query = db
    .selectFrom("audit_log as a")
    // The name of an actor from another account, such as an operator, is not revealed.
    .leftJoin("members as m", (join) => join.onRef("m.id", "=", "a.actor").onRef("m.account_id", "=", "a.account_id"))
    .leftJoin("api_keys as k", (join) => join.onRef("k.id", "=", "a.actor").onRef("k.account_id", "=", "a.account_id"))
    .select(["a.id", "a.actor", "a.action", "a.target", "a.ip", "a.data", "a.created_at"])
    .select((eb) => eb.fn.coalesce("m.email", "k.name").as("actor_name"))
    .where("a.account_id", "=", accountId)
    .orderBy("a.created_at", "desc")
    .orderBy("a.id", "desc")
    .limit(limit);
  const { action, actor, createdAfter, createdBefore } = filter;
  if (action) query = query.where(sql<boolean>`(a.action = ${action} or starts_with(a.action, ${`${action}.`}))`);
  if (actor) query = query.where("a.actor", "=", actor);
  if (createdAfter) query = query.where("a.created_at", ">=", new Date(createdAfter));
  if (createdBefore) query = query.where("a.created_at", "<", new Date(createdBefore));
  if (after) {
    query = query.where((eb) =>
      eb(eb.refTuple("a.created_at", "a.id"), "<", eb.tuple(eb.val(after.createdAt), eb.val(after.id))),
    );
  }
  return query.execute();
}

/** A whole entry, for the archive. */
export interface AuditEntry {
  readonly id: string;
  readonly account_id: string | null;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly ip: string | null;
  readonly client: string | null;
  readonly data: Record<string, unknown>;
  readonly created_at: Date;
}

/** The oldest entries of the installation that were made before a moment. Their ids sort by time. */
export async function readEntriesBefore(db: Database, before: Date, rowsMax: number): Promise<AuditEntry[]> {
  return run<AuditEntry>(
    db,
    `/* read_audit_entries_before */ select id, account_id, actor, action, target, ip, client, data, created_at from audit_log
     where id < id_at('aud', $1::timestamptz) and created_at < $1 order by id limit $2`,
    [before, rowsMax],
  );
}

/** Nothing else may delete from the audit log. */
export async function deleteEntries(db: Database, ids: readonly string[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    await run(tx, "set local parley.removing_audit_log = 'on'");
    await run(tx, "/* delete_audit_entries */ delete from audit_log where id = any($1)", [ids]);
  });
}
