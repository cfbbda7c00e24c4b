import { type Database, run, type Tx } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";
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
