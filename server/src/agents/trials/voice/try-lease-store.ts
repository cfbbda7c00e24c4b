import { type Database, run } from "../../../platform/database/database.ts";
import type { ReachableWorker } from "./open-worker-try.ts";

const LEASE_SECONDS = 30;

/** Acquires or renews the single voice trial of a member or key. False if another trial has it. */
export async function holdTryLease(db: Database, actorId: string, tryId: string): Promise<boolean> {
  const rows = await run(
    db,
    `/* hold_try_lease */ insert into voice_tries as t (actor_id, try_id, expires_at)
     values ($1, $2, clock_timestamp() + make_interval(secs => $3))
     on conflict (actor_id) do update set try_id = excluded.try_id, expires_at = excluded.expires_at
       where t.try_id = excluded.try_id or t.expires_at < clock_timestamp()
     returning 1`,
    [actorId, tryId, LEASE_SECONDS],
  );
  return rows.length > 0;
}

export async function releaseTryLease(db: Database, actorId: string, tryId: string): Promise<void> {
  await run(db, "/* release_try_lease */ delete from voice_tries where actor_id = $1 and try_id = $2", [
    actorId,
    tryId,
  ]);
}

/** The maximum deleted in one statement, so that no request waits long. */
const WORKERS_MAX = 8;

/** Workers that may be there, those that started last first: one that is gone is noticed by asking it. */
export async function listReachableWorkers(db: Database): Promise<ReachableWorker[]> {
  return run<ReachableWorker>(
    db,
    `/* list_reachable_workers */ select id as worker_id, internal_url from workers
     where internal_url is not null and not draining
     order by started_at desc limit $1`,
    [WORKERS_MAX],
  );
}
