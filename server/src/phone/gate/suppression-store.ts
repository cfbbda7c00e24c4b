import { type Database, run, type Tx } from "../../platform/database/database.ts";

export interface SuppressionRow {
  readonly phone_number: string;
  readonly reason: string;
  readonly created_at: Date;
}

export interface SuppressionFilter {
  readonly accountId: string;
  readonly phoneNumber: string | undefined;
  readonly startsWith: string | undefined;
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
  const { startsWith } = filter;
  if (startsWith !== undefined) query = query.where((eb) => eb.fn("starts_with", ["phone_number", eb.val(startsWith)]));
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
      // An update that changes nothing locks and returns the row that is there, even when two requests add it
      // concurrently.
      .onConflict((conflict) =>
        conflict
          .columns(["account_id", "phone_number"])
          .doUpdateSet((eb) => ({ reason: eb.ref("suppressions.reason") })),
      )
      .returning(["phone_number", "reason", "created_at"])
      .executeTakeFirstOrThrow()
  );
}

/** Adds all of them to the list; existing ones are unchanged. Returns how many are new. */
export async function putSuppressions(
  tx: Tx,
  accountId: string,
  phoneNumbers: readonly string[],
  reason: string,
): Promise<number> {
  // Always in the same order, so that two requests with the same numbers do not deadlock.
  const [row] = await run<{ count: number }>(
    tx,
    `/* put_suppressions */ with added as (
       insert into suppressions (account_id, phone_number, reason)
       select distinct $1::text, n, $3::text from unnest($2::text[]) n order by n
       on conflict do nothing returning 1
     )
     select count(*)::int as count from added`,
    [accountId, phoneNumbers, reason],
  );
  return row?.count ?? 0;
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

export interface ListAndCredit {
  readonly isSuppressed: boolean;
  readonly availableMicros: bigint;
}

/**
 * Whether the account must never call this number, and what it may spend at this moment, which only a hold makes sure of.
 * One statement, because every new call needs both.
 */
export async function readListAndCredit(db: Database, accountId: string, phoneNumber: string): Promise<ListAndCredit> {
  const [row] = await run<{ is_suppressed: boolean; available_micros: bigint }>(
    db,
    `/* read_list_and_credit */ select available_micros,
       exists (select 1 from suppressions where account_id = $1 and phone_number = $2) as is_suppressed
     from account_balances where account_id = $1`,
    [accountId, phoneNumber],
  );
  if (!row) throw new Error(`account ${accountId} has no balance`);
  return { isSuppressed: row.is_suppressed, availableMicros: row.available_micros };
}
