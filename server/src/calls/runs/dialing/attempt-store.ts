import { SIMULATED_NETWORK } from "@parley/contract/calls";
import type { Mode } from "@parley/contract/shared-fields";
import type { LegEnd } from "@parley/telephony/carrier";
import { commitOne, type Database, run, type Tx } from "../../../platform/database/database.ts";
import { notifyCallChanged } from "../../event-store.ts";

/** A request that could ring a phone, as committed before it is sent. */
export interface Attempt {
  readonly callId: string;
  readonly fence: bigint;
  readonly carrier: string;
  readonly dialId: string;
  readonly trunkId: string | null;
  /** What another worker needs to end the leg. */
  readonly record: object | null;
}

/** Returns the ordinal of the attempt within its call, from 1. The call must be locked. */
export async function insertAttempt(
  tx: Tx,
  attempt: Attempt,
  party: "callee" | "transfer" = "callee",
): Promise<number> {
  const [row] = await run<{ ordinal: number }>(
    tx,
    `/* insert_call_attempt */ insert into call_attempts (call_id, ordinal, run_id, carrier, dial_id, trunk_id, record, party)
     select $1, (select count(*) + 1 from call_attempts where call_id = $1), r.id, $3, $4, $5, $6, $7
     from call_runs r where r.call_id = $1 and r.fence = $2
     returning ordinal`,
    [
      attempt.callId,
      attempt.fence,
      attempt.carrier,
      attempt.dialId,
      attempt.trunkId,
      attempt.record ? JSON.stringify(attempt.record) : null,
      party,
    ],
  );
  if (!row) throw new Error(`call ${attempt.callId} has no run with fence ${attempt.fence}`);
  return row.ordinal;
}

/** A claimed call that turned into one that is being dialed. */
interface DialingCall {
  readonly account_id: string;
  readonly mode: Mode;
  readonly version: number;
}

/**
 * Commits the first attempt of a call on the simulated network, in one round trip: the call is being dialed, and from
 * here on never again, even if the worker dies. Returns false, and writes nothing, when the call is no longer this run's,
 * is already being dialed, or a hang-up was requested meanwhile.
 */
export async function commitFirstAttempt(db: Database, attempt: Attempt): Promise<boolean> {
  const { callId, fence, carrier, dialId, record } = attempt;
  const rows = await commitOne<DialingCall>(
    db,
    `/* commit_first_attempt */ with dialing as (
       update calls set state = 'dialing', dialing_at = clock_timestamp(), version = version + 1,
         event_sequence = event_sequence + 1, network = $5,
         carrier = jsonb_build_object('name', $3::text, 'code', null, 'reason', null, 'explanation', null)
       where id = $1 and fence = $2 and state = 'claimed' and hangup_requested_at is null
       returning id, account_id, mode, version, event_sequence
     ), attempt as (
       insert into call_attempts (call_id, ordinal, run_id, carrier, dial_id, record, party)
       select d.id, (select count(*) + 1 from call_attempts where call_id = $1),
         (select r.id from call_runs r where r.call_id = $1 and r.fence = $2), $3, $4, $6, 'callee'
       from dialing d
     ), event as (
       insert into call_events (call_id, sequence, type, data)
       select id, event_sequence, 'call.dialing', $7 from dialing
     )
     select account_id, mode, version from dialing`,
    [
      callId,
      fence,
      carrier,
      dialId,
      SIMULATED_NETWORK,
      record ? JSON.stringify(record) : null,
      JSON.stringify({ carrier, network: SIMULATED_NETWORK }),
    ],
    (tx, [row]) => {
      if (row) notifyCallChanged(tx, { id: callId, ...row });
    },
  );
  return rows.length > 0;
}

/** Whether this attempt was written by an earlier try whose reply was lost. */
export async function isAttemptWritten(tx: Tx, { dialId, fence }: Attempt): Promise<boolean> {
  const rows = await run(
    tx,
    `/* is_attempt_written */ select 1 from call_attempts a join calls c on c.id = a.call_id
     where a.dial_id = $1 and c.fence = $2 and c.state in ('dialing', 'talking')`,
    [dialId, fence],
  );
  return rows.length > 0;
}

/** Whether an attempt of the call may still be open. */
export async function hasOpenAttempt(tx: Tx, callId: string): Promise<boolean> {
  const rows = await run(
    tx,
    "/* has_open_attempt */ select 1 from call_attempts where call_id = $1 and ended_at is null limit 1",
    [callId],
  );
  return rows.length > 0;
}

/** Replaces what another worker needs to end the leg. False when the call is no longer this run's. */
export async function setAttemptRecord(
  db: Database,
  fence: bigint,
  dialId: string,
  record: object | null,
): Promise<boolean> {
  const rows = await run(
    db,
    `/* set_attempt_record */ update call_attempts a set record = $3
     from calls c where a.dial_id = $1 and c.id = a.call_id and c.fence = $2 and c.state <> 'ended' returning 1`,
    [dialId, fence, record ? JSON.stringify(record) : null],
  );
  return rows.length > 0;
}

export type AttemptEnd = Pick<LegEnd, "cause" | "code" | "reason">;

/** Ends one attempt. Returns its trunk if this statement ended it: its channel is free now. */
export async function closeAttempt(tx: Tx, dialId: string, end: AttemptEnd): Promise<string | null> {
  const [row] = await run<{ trunk_id: string | null }>(
    tx,
    `/* close_attempt */ update call_attempts set ended_at = clock_timestamp(), cause = $2, code = $3, reason = $4
     where dial_id = $1 and ended_at is null returning trunk_id`,
    [dialId, end.cause, end.code, end.reason],
  );
  return row?.trunk_id ?? null;
}

export interface AttemptsEnd {
  readonly cause: string;
  readonly code: number | null;
  readonly reason: string;
  /**
   * Includes attempts on a trunk. Otherwise they stay open, and their channels taken, until they are known to be gone.
   */
  readonly withTrunks: boolean;
}

/** Ends the open attempts of a call. Returns the trunks whose channels are free now, sorted, once per channel. */
export async function closeAttempts(tx: Tx, callId: string, end: AttemptsEnd): Promise<string[]> {
  const rows = await run<{ trunk_id: string | null }>(
    tx,
    `/* close_attempts */ update call_attempts set ended_at = clock_timestamp(), cause = $2, code = $3, reason = $4
     where call_id = $1 and ended_at is null and ($5 or trunk_id is null) returning trunk_id`,
    [callId, end.cause, end.code, end.reason, end.withTrunks],
  );
  return trunksOf(rows);
}

/**
 * Ends attempts whose call is over and whose end was never confirmed, once the network must have dropped them: it does
 * so when a trunk's session timer (RFC 4028) expires without a refresh. Returns the trunks whose channels are free now.
 */
export async function closeForgottenAttempts(tx: Tx, usualSeconds: number, limit: number): Promise<string[]> {
  const rows = await run<{ trunk_id: string | null }>(
    tx,
    `/* close_forgotten_attempts */ with forgotten as (
       select a.call_id, a.ordinal from call_attempts a
       join calls c on c.id = a.call_id and c.state = 'ended'
       left join trunks t on t.id = a.trunk_id
       where a.trunk_id is not null and a.ended_at is null
         and c.ended_at < clock_timestamp() - make_interval(secs => coalesce(t.session_timer_seconds, $1))
       order by a.trunk_id limit $2
       for update of a skip locked
     )
     update call_attempts a set ended_at = clock_timestamp(), cause = 'lost', reason = 'never confirmed'
     from forgotten f where a.call_id = f.call_id and a.ordinal = f.ordinal returning a.trunk_id`,
    [usualSeconds, limit],
  );
  return trunksOf(rows);
}

/** An attempt that may still ring or talk. */
export interface OpenAttempt {
  readonly dial_id: string;
  readonly carrier: string;
  readonly trunk_id: string | null;
  readonly record: object | null;
}

export async function readOpenAttempts(db: Database, callId: string): Promise<OpenAttempt[]> {
  return run<OpenAttempt>(
    db,
    `/* read_open_attempts */ select dial_id, carrier, trunk_id, record from call_attempts
     where call_id = $1 and ended_at is null order by ordinal desc`,
    [callId],
  );
}

/**
 * How long the callee had talked when the worker that dialed last renewed its lease. It uses the run that dialed, not
 * the latest one, which may be the run of a worker that was lost as well.
 */
export async function readTalkedMs(db: Database, callId: string): Promise<number | null> {
  const [row] = await run<{ talked_ms: number | null }>(
    db,
    `/* read_talked_ms */ select extract(epoch from r.renewed_at - c.answered_at)::float8 * 1000 as talked_ms
     from calls c
     left join lateral (
       select run_id from call_attempts where call_id = c.id order by ordinal desc limit 1
     ) a on true
     left join call_runs r on r.id = a.run_id
     where c.id = $1`,
    [callId],
  );
  return row?.talked_ms ?? null;
}

function trunksOf(rows: readonly { trunk_id: string | null }[]): string[] {
  return rows.flatMap(({ trunk_id }) => trunk_id ?? []).sort();
}
