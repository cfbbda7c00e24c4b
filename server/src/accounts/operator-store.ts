import type { Database, Tx } from "../platform/database/database.ts";

export interface OperatorAccountRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly available_micros: bigint;
  readonly concurrency_max: number;
  readonly calls_per_second: number;
  readonly queued_max: number;
}

/** Ids sort by time, so the newest account comes first. */
export async function listAccountRows(
  db: Database,
  limit: number,
  afterId: string | null,
): Promise<OperatorAccountRow[]> {
  let query = selectAccounts(db).orderBy("a.id", "desc").limit(limit);
  if (afterId) query = query.where("a.id", "<", afterId);
  return query.execute();
}

export async function readAccountRow(db: Database, accountId: string): Promise<OperatorAccountRow | null> {
  return (await selectAccounts(db).where("a.id", "=", accountId).executeTakeFirst()) ?? null;
}

export interface LaneChanges {
  readonly concurrencyMax?: number | undefined;
  readonly callsPerSecond?: number | undefined;
  readonly queuedMax?: number | undefined;
}

/** The limits of an account are the same in both modes. */
export async function updateLanes(tx: Tx, accountId: string, changes: LaneChanges): Promise<void> {
  await tx
    .updateTable("dispatch_lanes")
    .set({
      ...(changes.concurrencyMax === undefined ? {} : { concurrency_max: changes.concurrencyMax }),
      ...(changes.callsPerSecond === undefined ? {} : { calls_per_second: changes.callsPerSecond }),
      ...(changes.queuedMax === undefined ? {} : { queued_max: changes.queuedMax }),
    })
    .where("account_id", "=", accountId)
    .execute();
}

function selectAccounts(db: Database) {
  return db
    .selectFrom("accounts as a")
    .innerJoin("account_balances as b", "b.account_id", "a.id")
    .innerJoin("dispatch_lanes as l", (join) => join.onRef("l.account_id", "=", "a.id").on("l.mode", "=", "live"))
    .select([
      "a.id",
      "a.name",
      "a.created_at",
      "b.available_micros",
      "l.concurrency_max",
      "l.calls_per_second",
      "l.queued_max",
    ]);
}
