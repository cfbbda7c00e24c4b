import { type Database, inTransaction, run, type Tx } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";
import type { Month } from "../../platform/database/months/month-store.ts";
import type { RetentionRule } from "./retention-store.ts";

/** The accounts that have calls to remove, with the number of days for which they keep calls. */
export function readCallRetentionRules(
  db: Database,
  installationDays: number | null,
  now: Date,
): Promise<RetentionRule[]> {
  return run<RetentionRule>(
    db,
    `/* read_call_retention_rules */ select a.id as account_id, kept.days
     from accounts a cross join lateral (select coalesce(a.call_retention_days, $1::int) as days) kept
     where kept.days is not null and exists (
       select 1 from unnest(array['test', 'live']) m (mode) cross join lateral (
         select c.created_at from calls c where c.account_id = a.id and c.mode = m.mode order by c.created_at, c.id limit 1
       ) oldest where oldest.created_at < $2::timestamptz - make_interval(days => kept.days)
     )
     order by a.id`,
    [installationDays, now],
  );
}

/**
 * Ended calls of an account that ended before a moment, oldest first. A call whose recording may still be on a disk or in the
 * bucket, or with a webhook on its way, is left for later.
 */
export async function readRemovableCalls(
  db: Database,
  accountId: string,
  endedBefore: Date,
  recordingErasedBefore: Date,
  rowsMax: number,
): Promise<string[]> {
  const rows = await run<{ id: string }>(
    db,
    `/* read_removable_calls */ select c.id from unnest(array['test', 'live']) m (mode) cross join lateral (
       select c.id, c.created_at from calls c
       where c.account_id = $1 and c.mode = m.mode and c.created_at < $2 and c.state = 'ended' and c.ended_at < $2
         and (c.recording is null or c.recording_erased_at < $3)
         and not exists (select 1 from recording_objects o where o.call_id = c.id)
         and not exists (select 1 from webhook_deliveries d where d.call_id = c.id and d.status = 'pending')
       order by c.created_at, c.id limit $4
     ) c order by c.created_at, c.id limit $4`,
    [accountId, endedBefore, recordingErasedBefore, rowsMax],
  );
  return rows.map(({ id }) => id);
}

/** Removes ended calls with all that belongs to them. Returns how many; those that are locked stay. */
export async function removeCalls(
  tx: Tx,
  accountId: string,
  callIds: readonly string[],
  endedBefore: Date,
): Promise<number> {
  await run(
    tx,
    "/* note_removed_calls */ update accounts set calls_removed_before = greatest(calls_removed_before, $2) where id = $1",
    [accountId, endedBefore],
  );
  const removed = await run(tx, "/* remove_calls */ select remove_calls($1) as id", [callIds]);
  return removed.length;
}

/** Workers that have gone long ago and that no call refers to any more. */
export function removeOldWorkers(db: Database, seenBefore: Date): Promise<number> {
  return deleteInBatches(db, {
    table: "workers",
    where: "seen_at < $1 and not exists (select 1 from call_runs r where r.worker_id = workers.id)",
    values: [seenBefore],
  });
}

type Range = Pick<Month, "lowerId" | "upperId">;

/** Whether a call of the month is left. */
export async function hasCalls(db: Database, { lowerId, upperId }: Range): Promise<boolean> {
  const rows = await run(
    db,
    "/* has_calls_of_month */ select 1 from calls where id >= $1 and id < $2 order by id limit 1",
    [lowerId, upperId],
  );
  return rows.length > 0;
}

/** Whether a call of the month will still be kept at a moment, or has not even ended. */
export async function hasCallsToKeep(
  db: Database,
  { lowerId, upperId }: Range,
  installationDays: number | null,
  at: Date,
): Promise<boolean> {
  const rows = await run(
    db,
    `/* has_calls_to_keep */ select 1 from calls c join accounts a on a.id = c.account_id
     where c.id >= $1 and c.id < $2 and (
       c.state <> 'ended' or coalesce(a.call_retention_days, $3::int) is null
       or c.ended_at + make_interval(days => coalesce(a.call_retention_days, $3::int)) > $4
     ) limit 1`,
    [lowerId, upperId, installationDays, at],
  );
  return rows.length > 0;
}

export interface LeavingMonth extends Range {
  readonly since: Date;
}

export function readLeavingMonths(db: Database): Promise<LeavingMonth[]> {
  return run<LeavingMonth>(
    db,
    `select lower_id as "lowerId", upper_id as "upperId", since from leaving_months order by upper_id`,
  );
}

export async function insertLeavingMonth(db: Database, { lowerId, upperId }: Range, since: Date): Promise<void> {
  await run(db, "insert into leaving_months (lower_id, upper_id, since) values ($1, $2, $3) on conflict do nothing", [
    lowerId,
    upperId,
    since,
  ]);
}

export async function deleteLeavingMonth(db: Database, lowerId: string): Promise<void> {
  await run(db, "delete from leaving_months where lower_id = $1", [lowerId]);
}

/** Whether a table that is split by month has rows of this one. */
export async function hasRows(db: Database, { lowerId, upperId, tables }: Month): Promise<boolean> {
  // By the range and not by the names of partitions, which another process may have dropped meanwhile.
  const checks = tables.map((table) => `exists (select 1 from ${table} where call_id >= $1 and call_id < $2)`);
  const [row] = await run<{ found: boolean }>(db, `select ${checks.join(" or ")} as found`, [lowerId, upperId]);
  return row?.found ?? false;
}

/** Small enough that a statement ends long before its timeout. */
const ROWS_PER_STATEMENT = 5000;

/** Deletes the rows of the month whose calls have been removed, by many statements. */
export async function deleteRowsWithoutCalls(db: Database, table: string, { lowerId, upperId }: Range): Promise<void> {
  for (let count = ROWS_PER_STATEMENT; count >= ROWS_PER_STATEMENT; ) {
    const deleted = await inTransaction(db, async (tx) => {
      // The events of a call are never changed, and go only with their call.
      await run(tx, "set local parley.removing_calls = 'on'");
      return run(
        tx,
        `delete from ${table} where call_id >= $1 and call_id < $2 and call_id = any (array(
           select r.call_id from ${table} r
           where r.call_id >= $1 and r.call_id < $2 and not exists (select 1 from calls c where c.id = r.call_id) limit $3
         )) returning 1`,
        [lowerId, upperId, ROWS_PER_STATEMENT],
      );
    });
    count = deleted.length;
  }
}
