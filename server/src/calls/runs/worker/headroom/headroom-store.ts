import type { Mode } from "@parley/contract/shared-fields";
import { type Database, run } from "../../../../platform/database/database.ts";
import type { HeadroomLimit } from "./forecast.ts";

/** A worker that has not reported for this long is gone, or cannot reach the database. */
const ALIVE = "seen_at > clock_timestamp() - interval '15 seconds' and not draining";

export interface WorkerReport {
  readonly held: number;
  readonly callsMax: number;
  readonly limit: HeadroomLimit | null;
}

export async function reportHeadroom(db: Database, workerId: string, report: WorkerReport): Promise<void> {
  await run(
    db,
    `/* report_headroom */ update workers
     set calls_held = $2, calls_max = $3, limited_by = $4, seen_at = clock_timestamp() where id = $1`,
    [workerId, report.held, report.callsMax, report.limit && JSON.stringify(report.limit)],
  );
}

/** The worker takes no more calls, however long its last ones take. */
export async function markDraining(db: Database, workerId: string): Promise<void> {
  await run(db, "/* mark_draining */ update workers set draining = true where id = $1", [workerId]);
}

export interface LiveWorker {
  readonly id: string;
  readonly internal_url: string | null;
  readonly calls_held: number;
  readonly calls_max: number | null;
  readonly limited_by: HeadroomLimit | null;
}

/** The workers that conduct calls now, the oldest first. */
export function listLiveWorkers(db: Database): Promise<LiveWorker[]> {
  return run<LiveWorker>(
    db,
    `/* list_live_workers */ select id, internal_url, calls_held, calls_max, limited_by from workers
     where ${ALIVE} order by started_at, id`,
  );
}

/** What keeps the calls of a lane from being started. All false: the next call is about to be claimed. */
export interface LaneLimits {
  readonly has_no_slot: boolean;
  readonly is_paced: boolean;
  readonly has_no_worker: boolean;
  readonly has_no_room: boolean;
}

const LIMITS = `
  l.active_count >= l.concurrency_max as has_no_slot,
  l.next_send_at > clock_timestamp() + interval '1 second' as is_paced,
  not exists (select 1 from workers where ${ALIVE}) as has_no_worker,
  not exists (select 1 from workers where ${ALIVE} and limited_by is null) as has_no_room`;

export async function readLaneLimits(db: Database, accountId: string, mode: Mode): Promise<LaneLimits | null> {
  const [row] = await run<LaneLimits>(
    db,
    `/* read_lane_limits */ select ${LIMITS} from dispatch_lanes l where l.account_id = $1 and l.mode = $2`,
    [accountId, mode],
  );
  return row ?? null;
}

/** More waiting calls than this are not counted, so that a long queue costs no more than a short one. */
const COUNTED_MAX = 10_000;

/** How many calls are due and wait, by lane, with what keeps each lane from being served. */
export function countWaiting(db: Database): Promise<(LaneLimits & { readonly calls: number })[]> {
  return run(
    db,
    `/* count_waiting */ select waiting.calls, ${LIMITS}
     from (
       select account_id, mode, count(*)::int as calls from (
         select account_id, mode from calls
         where state = 'queued' and due_at <= statement_timestamp() order by due_at limit ${COUNTED_MAX}
       ) due group by account_id, mode
     ) waiting join dispatch_lanes l on l.account_id = waiting.account_id and l.mode = waiting.mode`,
  );
}
