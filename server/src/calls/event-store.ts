import type { CallEventType } from "@parley/contract/call-events";
import type { Call } from "@parley/contract/calls";
import { makeId } from "@parley/contract/ids";
import { CALL_WEBHOOK_TYPES, type CallWebhookBody, type CallWebhookType } from "@parley/contract/webhooks";
import { type Database, run, type Tx } from "../platform/database/database.ts";
import { type CallRow, toCall } from "./call-record.ts";

export interface CallEventRow {
  readonly sequence: number;
  readonly type: CallEventType;
  readonly data: Record<string, unknown>;
  readonly created_at: Date;
}

/** Told to every process when a call changed: account, mode, call, version. */
const CALL_CHANGED_CHANNEL = "parley_calls";
/** Told to the workers when a call waits to be claimed, or is to be hung up. */
export const CALL_QUEUED_CHANNEL = "parley_queued";
export const CALL_HANGUP_CHANNEL = "parley_hangups";

const INSERT_EVENT = `/* insert_call_event */
  with event as (
    insert into call_events (call_id, sequence, type, data) values ($1, $2, $3, $4)
  )
  select pg_notify('${CALL_CHANGED_CHANNEL}', $5)`;

const INSERT_EVENT_AND_REPORT = `/* insert_call_event_and_report */
  with event as (
    insert into call_events (call_id, sequence, type, data) values ($1, $2, $3, $4)
  )
  select report_event($6, $7, $8, $3, $1, $2, $9), pg_notify('${CALL_CHANGED_CHANNEL}', $5)`;

/**
 * Writes down what happened to a call, and freezes the webhook body where the event is one that is reported.
 * `row` is the call as it stands after the change, with `event_sequence` already counted up for this event;
 * `call` is the same as everyone outside sees it, where that is known already.
 */
async function insertCallEvent(
  tx: Tx,
  row: CallRow,
  type: CallEventType,
  data: Record<string, unknown>,
  call?: Call,
): Promise<void> {
  const change = [row.account_id, row.mode, row.id, row.version].join(" ");
  const values = [row.id, row.event_sequence, type, JSON.stringify(data), change];
  if (!isReported(type)) {
    await run(tx, INSERT_EVENT, values);
    return;
  }
  const body: CallWebhookBody = {
    id: makeId("event"),
    type,
    createdAt: new Date().toISOString(),
    sequence: row.event_sequence,
    data: { call: call ?? toCall(row) },
  };
  await run(tx, INSERT_EVENT_AND_REPORT, [...values, body.id, row.account_id, row.mode, JSON.stringify(body)]);
}

function isReported(type: string): type is CallWebhookType {
  return (CALL_WEBHOOK_TYPES as readonly string[]).includes(type);
}

/** Events after a sequence number, in order. */
export async function readCallEvents(
  db: Database,
  callId: string,
  afterSequence: number,
  limit: number,
): Promise<CallEventRow[]> {
  return run<CallEventRow>(
    db,
    "/* read_call_events */ select sequence, type, data, created_at from call_events where call_id = $1 and sequence > $2 order by sequence limit $3",
    [callId, afterSequence, limit],
  );
}

/** Replaces fields of the call in every report of its events. */
async function redactReportBodies(tx: Tx, callId: string, fields: object): Promise<void> {
  await run(
    tx,
    `/* redact_report_bodies */ update outbox
     set body = jsonb_set(body::jsonb, '{data,call}', body::jsonb->'data'->'call' || $2::jsonb)::text
     where call_id = $1 and body::jsonb->'data' ? 'call'`,
    [callId, JSON.stringify(fields)],
  );
}

/** What a report repeats of a call that somebody may want erased, and what stands there instead. */
const EMPTY = { variables: {}, collected: null, analysis: null };

/** Takes fields of a call out of the reports of its events, sent or not: a report that is sent again lacks them too. */
export function redactReports(tx: Tx, callId: string, fields: readonly (keyof typeof EMPTY)[]): Promise<void> {
  return redactReportBodies(tx, callId, Object.fromEntries(fields.map((field) => [field, EMPTY[field]])));
}

/** Adds an event to a call's timeline in the transaction that made the change, so that neither exists without the other. */
export function recordCallEvent(
  tx: Tx,
  row: CallRow,
  type: CallEventType,
  data: Record<string, unknown> = {},
  call?: Call,
): Promise<void> {
  return insertCallEvent(tx, row, type, data, call);
}

/** More than any call has. */
const EVENTS_MAX = 1000;

/** Whether something happened to a call. Who asks has made sure whose call it is. */
export async function hasEvent(db: Database, callId: string, type: CallEventType): Promise<boolean> {
  const events = await readCallEvents(db, callId, 0, EVENTS_MAX);
  return events.some((event) => event.type === type);
}
