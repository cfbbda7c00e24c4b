import { type Database, run } from "./database.ts";

/** Small enough that a batch ends long before the statement timeout, and that nothing waits behind it. */
const ROWS_PER_STATEMENT = 5000;

export interface BatchedDelete {
  readonly table: string;
  /** The condition on rows to delete, with `$1` and so on for `values`. */
  readonly where: string;
  readonly values?: readonly unknown[];
  /** Default: 5,000. */
  readonly rowsPerStatement?: number;
}

/**
 * Deletes many rows by many statements, each its own transaction. One statement for all of them would run into the
 * statement timeout after a busy hour, and again ever after. Returns how many rows were deleted.
 */
export async function deleteInBatches(db: Database, options: BatchedDelete): Promise<number> {
  const { table, where, values = [], rowsPerStatement = ROWS_PER_STATEMENT } = options;
  // The condition is repeated for rows that were changed between the selection and the deletion.
  const text = `delete from ${table}
    where ctid = any (array(select ctid from ${table} where ${where} limit $${values.length + 1})) and ${where} returning 1`;
  for (let sum = 0; ; ) {
    const rows = await run(db, text, [...values, rowsPerStatement]);
    sum += rows.length;
    if (rows.length < rowsPerStatement) return sum;
  }
}
