import { type Database, run } from "../database/database.ts";

export interface AuditRow {
  readonly id: string;
  readonly actor: string;
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

/** The account's entries, newest first. */
export async function listAuditRows(
  db: Database,
  accountId: string,
  limit: number,
  after: AuditPosition | null,
): Promise<AuditRow[]> {
  let query = db
    .selectFrom("audit_log")
    .select(["id", "actor", "action", "target", "ip", "data", "created_at"])
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  if (after) {
    query = query.where((eb) =>
      eb(eb.refTuple("created_at", "id"), "<", eb.tuple(eb.val(after.createdAt), eb.val(after.id))),
    );
  }
  return query.execute();
}
