import { type Database, run } from "../database/database.ts";

export interface SuppressionRow {
  readonly phone_number: string;
  readonly reason: string;
  readonly created_at: Date;
}

export interface SuppressionFilter {
  readonly accountId: string;
  readonly phoneNumber: string | undefined;
}

/** Newest first; of those made in the same millisecond, by number. */
export async function listSuppressionRows(
  db: Database,
  filter: SuppressionFilter,
  after: { readonly createdAt: Date; readonly phoneNumber: string } | null,
  rowsMax: number,
): Promise<SuppressionRow[]> {
  let query = db
    .selectFrom("suppressions")
    .select(["phone_number", "reason", "created_at"])
    .where("account_id", "=", filter.accountId);
  if (filter.phoneNumber !== undefined) query = query.where("phone_number", "=", filter.phoneNumber);
  if (after) {
    query = query
      .where("created_at", "<=", after.createdAt)
      .where((eb) => eb.or([eb("created_at", "<", after.createdAt), eb("phone_number", ">", after.phoneNumber)]));
  }
  return query.orderBy("created_at", "desc").orderBy("phone_number").limit(rowsMax).execute();
}

/** Puts the number on the list, or finds it there as it was. */
export async function putSuppression(
  db: Database,
  accountId: string,
  phoneNumber: string,
  reason: string,
): Promise<SuppressionRow> {
  return (
    db
      .insertInto("suppressions")
      .values({ account_id: accountId, phone_number: phoneNumber, reason })
      // An update that changes nothing locks and returns the row that is there, even when two requests add it at once.
      .onConflict((conflict) =>
        conflict
          .columns(["account_id", "phone_number"])
          .doUpdateSet((eb) => ({ reason: eb.ref("suppressions.reason") })),
      )
      .returning(["phone_number", "reason", "created_at"])
      .executeTakeFirstOrThrow()
  );
}

/** Returns whether it was on the list. */
export async function deleteSuppression(db: Database, accountId: string, phoneNumber: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("suppressions")
    .where("account_id", "=", accountId)
    .where("phone_number", "=", phoneNumber)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function hasSuppression(db: Database, accountId: string, phoneNumber: string): Promise<boolean> {
  const rows = await run(
    db,
    "/* has_suppression */ select 1 from suppressions where account_id = $1 and phone_number = $2",
    [accountId, phoneNumber],
  );
  return rows.length > 0;
}
