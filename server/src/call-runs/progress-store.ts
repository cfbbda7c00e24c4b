import type { Call } from "@parley/contract/calls";
import type { CallRow } from "../calls/call-record.ts";
import { run, type Tx } from "../database/database.ts";
import { LeaseLost } from "./run-store.ts";

export interface WriteAhead {
  readonly callId: string;
  readonly fence: bigint;
  readonly carrier: string;
  readonly dialId: string;
}

/**
 * Commits that the call is about to be dialed. From here on it is never dialed again, whoever dies. Returns null when
 * a hang-up was asked for meanwhile. Repeating it after a lost reply finds the attempt already written.
 */
export async function writeAhead(tx: Tx, attempt: WriteAhead): Promise<CallRow | null> {
  const [row] = await run<CallRow>(
    tx,
    `/* write_ahead */ update calls set state = 'dialing', dialing_at = clock_timestamp(), version = version + 1,
       event_sequence = event_sequence + 1, carrier = jsonb_build_object('name', $3::text, 'code', null, 'reason', null, 'explanation', null)
     where id = $1 and fence = $2 and state = 'claimed' and hangup_requested_at is null returning *`,
    [attempt.callId, attempt.fence, attempt.carrier],
  );
  if (!row) return null;
  await run(
    tx,
    `/* insert_call_attempt */ insert into call_attempts (call_id, ordinal, run_id, carrier, dial_id)
     select $1, (select count(*) + 1 from call_attempts where call_id = $1), r.id, $3, $4
     from call_runs r where r.call_id = $1 and r.fence = $2`,
    [attempt.callId, attempt.fence, attempt.carrier, attempt.dialId],
  );
  return row;
}

/** Whether this very attempt was written by an earlier try whose reply was lost. */
export async function isWrittenAhead(tx: Tx, attempt: WriteAhead): Promise<boolean> {
  const rows = await run(
    tx,
    "select 1 from call_attempts a join calls c on c.id = a.call_id where a.dial_id = $1 and c.fence = $2 and c.state = 'dialing'",
    [attempt.dialId, attempt.fence],
  );
  return rows.length > 0;
}

export async function setRinging(tx: Tx, callId: string, fence: bigint): Promise<CallRow | null> {
  return one(
    tx,
    `/* set_ringing */ update calls set state = 'ringing', version = version + 1, event_sequence = event_sequence + 1
     where id = $1 and fence = $2 and state = 'dialing' returning *`,
    [callId, fence],
  );
}

/** `agoMs` is how long ago the callee answered, by the worker's own clock: the commit may come late. */
export async function setTalking(tx: Tx, callId: string, fence: bigint, agoMs: number): Promise<CallRow | null> {
  return one(
    tx,
    `/* set_talking */ update calls set state = 'talking', status = 'in_progress', version = version + 1,
       event_sequence = event_sequence + 1, answered_at = clock_timestamp() - make_interval(secs => $3 / 1000.0)
     where id = $1 and fence = $2 and state in ('dialing', 'ringing') returning *`,
    [callId, fence, agoMs],
  );
}

export async function addHeld(tx: Tx, callId: string, fence: bigint, micros: bigint): Promise<CallRow> {
  const row = await one(
    tx,
    `/* add_held */ update calls set held_micros = held_micros + $3, version = version + 1, event_sequence = event_sequence + 1
     where id = $1 and fence = $2 and state <> 'ended' returning *`,
    [callId, fence, micros],
  );
  if (!row) throw new LeaseLost(`call ${callId} is not held by fence ${fence}`);
  return row;
}

export interface FinalFields {
  readonly status: "completed" | "failed";
  readonly endReason: NonNullable<Call["endReason"]>;
  readonly endedBy: NonNullable<Call["endedBy"]>;
  readonly carrier: Call["carrier"];
  readonly durationSeconds: number | null;
  readonly billedSeconds: number;
  readonly costMicros: bigint;
  readonly agoMs: number;
}

export async function setEnded(tx: Tx, callId: string, fields: FinalFields): Promise<CallRow> {
  const row = await one(
    tx,
    `/* set_ended */ update calls set state = 'ended', status = $2, end_reason = $3, ended_by = $4,
       carrier = coalesce($5::jsonb, carrier), duration_seconds = $6, billed_seconds = $7, cost_micros = $8,
       ended_at = greatest(clock_timestamp() - make_interval(secs => $9 / 1000.0), answered_at, created_at),
       version = version + 1, event_sequence = event_sequence + 1
     where id = $1 returning *`,
    [
      callId,
      fields.status,
      fields.endReason,
      fields.endedBy,
      fields.carrier ? JSON.stringify(fields.carrier) : null,
      fields.durationSeconds,
      fields.billedSeconds,
      fields.costMicros,
      fields.agoMs,
    ],
  );
  if (!row) throw new LeaseLost(`call ${callId} is gone`);
  return row;
}

export async function closeAttempts(
  tx: Tx,
  callId: string,
  cause: string,
  code: number | null,
  reason: string,
): Promise<void> {
  await run(
    tx,
    `/* close_attempts */ update call_attempts set ended_at = clock_timestamp(), cause = $2, code = $3, reason = $4
     where call_id = $1 and ended_at is null`,
    [callId, cause, code, reason],
  );
}

async function one(tx: Tx, text: string, values: readonly unknown[]): Promise<CallRow | null> {
  const [row] = await run<CallRow>(tx, text, values);
  return row ?? null;
}
