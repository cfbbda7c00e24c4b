import { type Call, SIMULATED_NETWORK } from "@parley/contract/calls";
import type { GateRecord } from "@parley/contract/gate";
import type { CallRouting } from "../../../phone/carriers/where-calls-go.ts";
import { run, type Tx } from "../../../platform/database/database.ts";
import type { RecordingState } from "../../../platform/database/schema/schema.ts";
import type { CallRow } from "../../call-record.ts";
import { LeaseLost } from "./lease-store.ts";

/** The name of the trunk that an attempt uses, or of the simulated network. */
const networkOfAttempt = (trunkId: string) =>
  `case when ${trunkId}::text is null then '${SIMULATED_NETWORK}' else (select name from trunks where id = ${trunkId}) end`;

/**
 * Turns a claimed call into one that is being dialed. From here on it is never dialed again, even if the worker dies.
 * Returns null when it is no longer this run's, is already being dialed, or a hang-up was requested meanwhile.
 */
export async function setDialing(
  tx: Tx,
  callId: string,
  fence: bigint,
  carrier: string,
  trunkId: string | null,
): Promise<CallRow | null> {
  return one(
    tx,
    `/* set_dialing */ update calls set state = 'dialing', dialing_at = clock_timestamp(), version = version + 1,
       event_sequence = event_sequence + 1, network = ${networkOfAttempt("$4")},
       carrier = jsonb_build_object('name', $3::text, 'code', null, 'reason', null, 'explanation', null)
     where id = $1 and fence = $2 and state = 'claimed' and hangup_requested_at is null returning *`,
    [callId, fence, carrier, trunkId],
  );
}

/**
 * Stores the gate's decision on a claimed call and when to ask again; null for a call that will not be asked about
 * again.
 */
export async function setGate(tx: Tx, call: CallRow, gate: GateRecord, dueAt: Date | null): Promise<void> {
  await run(
    tx,
    `/* set_gate */ update calls set gate = $3::jsonb, due_at = coalesce($4, due_at), version = version + 1
     where id = $1 and fence = $2 and state = 'claimed'`,
    [call.id, call.fence, JSON.stringify(gate), dueAt],
  );
}

/**
 * The same for a call that may be dialed: from here on it is counted, its network is fixed, and more credit is held.
 */
export async function setAdmitted(
  tx: Tx,
  call: CallRow,
  gate: GateRecord,
  { network, isCharged }: CallRouting,
  micros: bigint,
): Promise<CallRow> {
  const row = await one(
    tx,
    `/* set_admitted */ update calls set gate = $3::jsonb, admitted_at = coalesce(admitted_at, clock_timestamp()),
       held_micros = held_micros + $4, network = $5, is_charged = $6, version = version + 1,
       held_on = case when $4::bigint > 0 then (now() at time zone 'utc')::date else held_on end
     where id = $1 and fence = $2 and state <> 'ended' returning *`,
    [call.id, call.fence, JSON.stringify(gate), micros, network, isCharged],
  );
  if (!row) throw new LeaseLost(`call ${call.id} is not held by fence ${call.fence}`);
  return row;
}

/** The same for a further attempt: the call stays `dialing`, and no phone may have rung. */
export async function setDialingAgain(
  tx: Tx,
  callId: string,
  fence: bigint,
  trunkId: string | null,
): Promise<CallRow | null> {
  return one(
    tx,
    `/* set_dialing_again */ update calls set network = ${networkOfAttempt("$3")}, version = version + 1,
       event_sequence = event_sequence + 1
     where id = $1 and fence = $2 and state = 'dialing' and hangup_requested_at is null returning *`,
    [callId, fence, trunkId],
  );
}

/** A second leg is charged from this second of the talk on. Set once; repeating it changes nothing. */
export async function setBridged(
  tx: Tx,
  call: CallRow,
  bridge: { readonly perMinuteMicros: bigint; readonly afterSeconds: number },
): Promise<CallRow | null> {
  return one(
    tx,
    `/* set_bridged */ update calls set bridge_per_minute_micros = $3, bridged_after_seconds = $4, version = version + 1
     where id = $1 and fence = $2 and state = 'talking' and bridged_after_seconds is null returning *`,
    [call.id, call.fence, bridge.perMinuteMicros, bridge.afterSeconds],
  );
}

/** Increments the event sequence for an event that changes nothing else. */
export async function countEvent(tx: Tx, callId: string, fence: bigint): Promise<CallRow | null> {
  return one(
    tx,
    `/* count_event */ update calls set version = version + 1, event_sequence = event_sequence + 1
     where id = $1 and fence = $2 and state <> 'ended' returning *`,
    [callId, fence],
  );
}

export async function setRinging(tx: Tx, callId: string, fence: bigint): Promise<CallRow | null> {
  return one(
    tx,
    `/* set_ringing */ update calls set state = 'ringing', version = version + 1, event_sequence = event_sequence + 1
     where id = $1 and fence = $2 and state = 'dialing' returning *`,
    [callId, fence],
  );
}

/** `agoMs` is how long ago the callee answered, by the worker's clock: the commit may be late. */
export async function setTalking(tx: Tx, callId: string, fence: bigint, agoMs: number): Promise<CallRow | null> {
  return one(
    tx,
    `/* set_talking */ update calls set state = 'talking', status = 'in_progress', version = version + 1,
       event_sequence = event_sequence + 1, answered_at = clock_timestamp() - make_interval(secs => $3 / 1000.0)
     where id = $1 and fence = $2 and state in ('dialing', 'ringing') returning *`,
    [callId, fence, agoMs],
  );
}

/** Results of a conversation so far; null leaves a field unchanged. */
export interface ConversationFields {
  readonly collected: Call["collected"];
  readonly latency: Call["latency"];
  readonly engineParts: Call["engineParts"];
  readonly answeredBy: Call["answeredBy"];
  readonly calleeLanguage: Call["calleeLanguage"];
}

/** Returns null for a call that was not answered, which has no conversation. */
export async function setConversation(
  tx: Tx,
  callId: string,
  fence: bigint,
  { collected, latency, engineParts, answeredBy, calleeLanguage }: ConversationFields,
  events: 0 | 1,
): Promise<CallRow | null> {
  return one(
    tx,
    `/* set_conversation */ update calls set collected = coalesce($3::jsonb, collected),
       latency = coalesce($4::jsonb, latency), engine_parts = coalesce($7::jsonb, engine_parts), answered_by = coalesce($5, answered_by),
       callee_language = coalesce($8, callee_language), version = version + 1,
       event_sequence = event_sequence + $6
     where id = $1 and fence = $2 and state <> 'ended' and answered_at is not null returning *`,
    [
      callId,
      fence,
      collected && JSON.stringify(collected),
      latency && JSON.stringify(latency),
      answeredBy,
      events,
      engineParts && JSON.stringify(engineParts),
      calleeLanguage,
    ],
  );
}

/**
 * Sets the state of the recording, also after the end of the call, since the file is closed then. Null when the call is
 * not ours or the state is already final: later changes are not undone.
 */
export async function setRecording(
  tx: Tx,
  callId: string,
  fence: bigint,
  recording: RecordingState,
  events: 0 | 1,
): Promise<CallRow | null> {
  return one(
    tx,
    `/* set_recording */ update calls set recording = $3::jsonb, version = version + 1, event_sequence = event_sequence + $4
     where id = $1 and fence = $2 and coalesce(recording->>'status', 'recording') = 'recording' returning *`,
    [callId, fence, JSON.stringify(recording), events],
  );
}

/** Increments the event sequence for an event after the end of the call. */
export async function countLateEvent(tx: Tx, callId: string): Promise<CallRow> {
  const row = await one(
    tx,
    `/* count_late_event */ update calls set version = version + 1, event_sequence = event_sequence + 1
     where id = $1 and state = 'ended' returning *`,
    [callId],
  );
  if (!row) throw new Error(`call ${callId} has not ended`);
  return row;
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
  readonly quality: Call["quality"];
  readonly agoMs: number;
}

/** Ends a call. The deferred trigger `calls_count_when_ended` adds it to the usage statistics at the commit. */
export async function setEnded(tx: Tx, callId: string, fields: FinalFields): Promise<CallRow> {
  const row = await one(
    tx,
    `/* set_ended */ update calls set state = 'ended', status = $2, end_reason = $3, ended_by = $4,
       carrier = coalesce($5::jsonb, carrier), duration_seconds = $6, billed_seconds = $7, cost_micros = $8,
       ended_at = greatest(clock_timestamp() - make_interval(secs => $9 / 1000.0), answered_at, created_at), quality = $10::jsonb,
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
      fields.quality ? JSON.stringify(fields.quality) : null,
    ],
  );
  if (!row) throw new LeaseLost(`call ${callId} is gone`);
  return row;
}

async function one(tx: Tx, text: string, values: readonly unknown[]): Promise<CallRow | null> {
  const [row] = await run<CallRow>(tx, text, values);
  return row ?? null;
}
