import { makeId } from "@parley/contract/ids";
import { commitOne, type Database, run, type Tx } from "../../../platform/database/database.ts";
import { notifyAfterCommit } from "../../../platform/database/notify-after-commit.ts";
import type { CallRow } from "../../call-record.ts";
import { CALL_QUEUED_CHANNEL } from "../../event-store.ts";

/** The duration of a lease, by the database's clock. It is renewed well before it expires. */
const LEASE_SECONDS = 10;

/** Thrown when the call is no longer ours to change: another run holds it, or it has ended. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

export async function registerWorker(
  db: Database,
  workerId: string,
  slotsMax: number,
  internalUrl: string | null = null,
): Promise<void> {
  await run(
    db,
    `insert into workers (id, slots_max, internal_url) values ($1, $2, $3)
     on conflict (id) do update set slots_max = excluded.slots_max, internal_url = excluded.internal_url,
       seen_at = clock_timestamp()`,
    [workerId, slotsMax, internalUrl],
  );
}

// A call that could not be dialed for a day is left to the job that expires it: claimed again and again it would never
// expire. The day begins at the request, or at the scheduled time. Not `clock_timestamp()`: PostgreSQL searches no index for what is
// compared with a volatile function, and would read the whole queue.
const IS_STALE = "greatest(created_at, scheduled_at) < statement_timestamp() - interval '24 hours'";

/** A claimed call. */
interface ClaimedRow extends CallRow {
  /** The rate limit of a lane is kept by assigning send times: this call is sent after so many milliseconds. */
  readonly send_in_ms: number;
  readonly available_micros: bigint;
  readonly is_suppressed: boolean;
  readonly has_more: boolean;
}

const RANDOM_DIGITS = 16;

/**
 * Claims waiting calls of the lane that waited longest of those that have calls due and room for them, at most `slots`, and
 * commits the claim. The lane's row is locked first and read again under the lock, so its limits are exact across all
 * workers. The number of runs is not known beforehand, so their ids are made in the database in our usual form, with
 * sixteen random digits.
 */
export function claimWaitingCalls(db: Database, workerId: string, slots: number): Promise<ClaimedRow[]> {
  const idStart = makeId("run").slice(0, -RANDOM_DIGITS);
  return commitOne<ClaimedRow>(
    db,
    `/* claim_waiting_calls */ select (k.call).*, k.send_in_ms, k.available_micros, k.is_suppressed, k.has_more
     from claim_waiting_calls($1, $2, $3, $4) k`,
    [slots, workerId, idStart, LEASE_SECONDS],
  );
}

/** Calls that a worker claimed without knowing it, because the reply was lost. Nothing of them was dialed. */
export function findUnknownClaims(db: Database, workerId: string, knownIds: readonly string[]): Promise<CallRow[]> {
  return run<CallRow>(
    db,
    `/* find_unknown_claims */ select c.* from call_runs r join calls c on c.id = r.call_id and c.fence = r.fence
     where r.worker_id = $1 and r.ended_at is null and c.state = 'claimed' and c.id <> all($2)`,
    [workerId, knownIds],
  );
}

export async function freeLaneSlot(tx: Tx, call: CallRow): Promise<void> {
  await run(
    tx,
    "/* free_lane_slot */ update dispatch_lanes set active_count = active_count - 1 where account_id = $1 and mode = $2",
    [call.account_id, call.mode],
  );
}

export async function insertRun(tx: Tx, runId: string, call: CallRow, workerId: string): Promise<void> {
  await run(
    tx,
    `/* insert_run */ insert into call_runs (id, call_id, fence, worker_id, lease_expires_at)
     values ($1, $2, $3, $4, statement_timestamp() + make_interval(secs => ${LEASE_SECONDS}))`,
    [runId, call.id, call.fence, workerId],
  );
}

export async function closeRun(tx: Tx, callId: string, fence: bigint, outcome: string): Promise<void> {
  await run(
    tx,
    "/* close_run */ update call_runs set ended_at = clock_timestamp(), outcome = $3 where call_id = $1 and fence = $2 and ended_at is null",
    [callId, fence, outcome],
  );
}

interface RenewedLease {
  readonly call_id: string;
  readonly hangup_requested: boolean;
}

/** The calls a worker holds at the moment. */
interface HeldCalls {
  readonly callIds: readonly string[];
  /** Those whose callee is on the line, as far as the worker knows. */
  readonly talkingIds: readonly string[];
}

/**
 * Renews the leases of a worker's calls. A call that is not returned no longer belongs to this worker. `renewed_at`, up
 * to which the calls of a lost worker are billed, moves only while the callee is on the line, because the end of a call
 * may wait long to be committed. `look` is called once a connection is available, which may take time too.
 */
export async function renewLeases(db: Database, workerId: string, look: () => HeldCalls): Promise<RenewedLease[]> {
  return db.connection().execute((connection) => {
    const { callIds, talkingIds } = look();
    return run<RenewedLease>(
      connection,
      `/* renew_leases */ update call_runs r
         set renewed_at = case when r.call_id = any($3) then clock_timestamp() else r.renewed_at end,
           lease_expires_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
       from calls c
       where r.worker_id = $1 and r.ended_at is null and r.call_id = any($2) and c.id = r.call_id and c.fence = r.fence
       returning r.call_id, c.hangup_requested_at is not null as hangup_requested`,
      [workerId, callIds, talkingIds],
    );
  });
}

/** Locks the call if this run still holds it. */
export async function lockOwnCall(tx: Tx, callId: string, fence: bigint): Promise<CallRow> {
  const [row] = await run<CallRow>(
    tx,
    "/* lock_own_call */ select * from calls where id = $1 and fence = $2 and state <> 'ended' for update",
    [callId, fence],
  );
  if (!row) throw new LeaseLost(`call ${callId} is not held by fence ${fence}`);
  return row;
}

/** Returns a claimed call to the queue: nothing was dialed. */
export async function requeueCall(tx: Tx, callId: string, fence: bigint): Promise<CallRow | null> {
  const [row] = await run<CallRow>(
    tx,
    `/* requeue_call */ update calls set state = 'queued', version = version + 1
     where id = $1 and fence = $2 and state = 'claimed' returning *`,
    [callId, fence],
  );
  if (row) notifyAfterCommit(tx, CALL_QUEUED_CHANNEL);
  return row ?? null;
}

/** Ends the leases of workers known to be dead, so that nothing waits for them to expire. */
export async function abandonLeases(db: Database, workerIds: readonly string[]): Promise<number> {
  const rows = await run(
    db,
    `/* abandon_leases */ update call_runs set lease_expires_at = '-infinity'
     where worker_id = any($1) and ended_at is null returning id`,
    [workerIds],
  );
  return rows.length;
}

/** A run whose worker has not renewed its lease or is known to be dead. */
export interface ExpiredRun {
  readonly call_id: string;
  readonly fence: bigint;
}

// A lease that ends later than possible was written before the database's clock was set back. Live workers have renewed
// theirs by the time any run counts as lost.
const IS_EXPIRED = `(lease_expires_at < clock_timestamp()
  or lease_expires_at > clock_timestamp() + interval '${2 * LEASE_SECONDS} seconds')`;

const isLost = (quietSecondsParameter: string) => `ended_at is null and (lease_expires_at = '-infinity'
  or (${quietSecondsParameter}::float8 is not null and ${IS_EXPIRED} and ${isSteadyFor(quietSecondsParameter)}))`;

/**
 * Runs whose worker is dead, and runs with an expired lease. The latter are excluded if the database was away within
 * the last `quietSeconds`, also if only for some workers: those that were cut off need time to renew. Null excludes
 * them altogether.
 */
export async function findLostRuns(db: Database, quietSeconds: number | null, limit: number): Promise<ExpiredRun[]> {
  return run<ExpiredRun>(
    db,
    `/* find_lost_runs */ select call_id, fence from call_runs
     where ${isLost("$2")}
     order by lease_expires_at limit $1`,
    [limit, quietSeconds],
  );
}

/** Locks the call of a lost run and checks again, because the worker may be back. */
export async function lockLost(tx: Tx, expired: ExpiredRun, quietSeconds: number | null): Promise<CallRow | null> {
  const [row] = await run<CallRow>(
    tx,
    "select * from calls where id = $1 and fence = $2 and state <> 'ended' for update",
    [expired.call_id, expired.fence],
  );
  if (!row) return null;
  const [still] = await run(
    tx,
    `select 1 from call_runs where call_id = $1 and fence = $2 and ${isLost("$3")} for update`,
    [expired.call_id, expired.fence, quietSeconds],
  );
  return still ? row : null;
}

/** Increments the fence, so that the lost worker can change nothing more. */
export async function takeOver(tx: Tx, call: CallRow): Promise<CallRow> {
  const [row] = await run<CallRow>(
    tx,
    "update calls set fence = fence + 1, version = version + 1 where id = $1 returning *",
    [call.id],
  );
  if (!row) throw new LeaseLost(`call ${call.id} is gone`);
  return row;
}

/** Calls that could not be dialed for a day. */
export async function findStaleQueued(db: Database, limit: number): Promise<string[]> {
  const rows = await run<{ id: string }>(
    db,
    `select id from calls where state = 'queued' and ${IS_STALE} order by greatest(created_at, scheduled_at) limit $1`,
    [limit],
  );
  return rows.map((row) => row.id);
}

export async function lockStaleQueued(tx: Tx, callId: string): Promise<CallRow | null> {
  const [row] = await run<CallRow>(
    tx,
    "select * from calls where id = $1 and state = 'queued' for update skip locked",
    [callId],
  );
  return row ?? null;
}

/**
 * A longer pause between heartbeats means that workers may not have been able to renew. A lease has at least seven
 * seconds left when the database goes away, so a shorter pause never costs a call.
 */
const GAP_SECONDS = 6;

/**
 * Records that the database is writable now, and since when without a gap. It uses the database's clock and covers all
 * workers: a gap for one of them counts for all, and so does a jump of the clock. While no call is running no lease
 * needs renewal, so a gap means nothing; that includes the time before the first worker starts. One heartbeat per
 * second is enough, however many workers there are.
 */
export async function recordHeartbeat(db: Database): Promise<void> {
  await run(
    db,
    `/* beat_pulse */ update worker_pulse set beat_at = clock_timestamp(),
       steady_since = case when clock_timestamp() between beat_at and beat_at + interval '${GAP_SECONDS} seconds'
         then steady_since
         when exists (select 1 from call_runs where ended_at is null) then clock_timestamp()
         else '-infinity' end
     where not clock_timestamp() between beat_at and beat_at + interval '0.9 seconds'`,
  );
}

/** SQL condition: the database has been up and writable without a gap for the given number of seconds. */
const isSteadyFor = (secondsParameter: string) =>
  `exists (
     select 1 from worker_pulse
     where clock_timestamp() between beat_at and beat_at + interval '${GAP_SECONDS} seconds'
       and steady_since <= clock_timestamp() - make_interval(secs => ${secondsParameter})
   ) and pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => ${secondsParameter})`;
