import type { CallEventType } from "@parley/contract/call-events";
import type { Call } from "@parley/contract/calls";
import { makeId } from "@parley/contract/ids";
import { CALL_WEBHOOK_TYPES, type CallWebhookBody, type CallWebhookType } from "@parley/contract/webhooks";
import { DELIVERIES_CHANNEL } from "../platform/database/channels.ts";
import { type Database, run, type Tx } from "../platform/database/database.ts";
import { notifyAfterCommit } from "../platform/database/notify-after-commit.ts";
import { type CallRow, toCall } from "./call-record.ts";

export interface CallEventRow {
  readonly sequence: number;
  readonly type: CallEventType;
  readonly data: Record<string, unknown>;
  readonly created_at: Date;
}

/** Notifies every process that a call changed: account, mode, call, version. */
const CALL_CHANGED_CHANNEL = "parley_calls";
/** Notify the workers that a call waits to be claimed, or is to be hung up. */
export const CALL_QUEUED_CHANNEL = "parley_queued";
export const CALL_HANGUP_CHANNEL = "parley_hangups";

const INSERT_EVENT = `/* insert_call_event */
  insert into call_events (call_id, sequence, type, data) values ($1, $2, $3, $4)`;

const INSERT_EVENT_AND_REPORT = `/* insert_call_event_and_report */
  with event as (
    insert into call_events (call_id, sequence, type, data) values ($1, $2, $3, $4)
  )
  select report_event($5, $6, $7, $3, $1, $2, $8) is not null as is_queued`;

/** Notifies every process that the call has changed, once the transaction is committed. */
export function notifyCallChanged(tx: Tx, row: Pick<CallRow, "id" | "account_id" | "mode" | "version">): void {
  notifyAfterCommit(tx, CALL_CHANGED_CHANNEL, [row.account_id, row.mode, row.id, row.version].join(" "));
}

/**
 * Adds an event to the call's timeline, in the transaction that made the change, and freezes the webhook body of an event
 * that is delivered to webhooks. `row` is the call after the change, with `event_sequence` already incremented for this
 * event; `call` is its public representation, if the caller has it already.
 */
export async function recordCallEvent(
  tx: Tx,
  row: CallRow,
  type: CallEventType,
  data: Record<string, unknown> = {},
  call?: Call,
): Promise<void> {
  notifyCallChanged(tx, row);
  const values = [row.id, row.event_sequence, type, JSON.stringify(data)];
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
  const [reported] = await run<{ is_queued: boolean }>(tx, INSERT_EVENT_AND_REPORT, [
    ...values,
    body.id,
    row.account_id,
    row.mode,
    JSON.stringify(body),
  ]);
  if (reported?.is_queued) notifyAfterCommit(tx, DELIVERIES_CHANNEL);
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

/** Whether the call has an event of this type. The caller has checked whose call it is. */
export async function hasCallEvent(db: Database, callId: string, type: CallEventType): Promise<boolean> {
  const rows = await run(
    db,
    "/* has_call_event */ select 1 from call_events where call_id = $1 and type = $2 limit 1",
    [callId, type],
  );
  return rows.length > 0;
}

/** The fields of a call that can be erased from webhook bodies, and their erased values. */
const ERASED = { variables: {}, collected: null, analysis: null };

/** Erases fields of the call from the bodies of its webhooks, delivered or not, so that a replay lacks them too. */
export async function redactWebhookBodies(
  tx: Tx,
  callId: string,
  fields: readonly (keyof typeof ERASED)[],
): Promise<void> {
  const erased = Object.fromEntries(fields.map((field) => [field, ERASED[field]]));
  await run(
    tx,
    `/* redact_webhook_bodies */ update outbox
     set body = jsonb_set(body::jsonb, '{data,call}', body::jsonb->'data'->'call' || $2::jsonb)::text
     where call_id = $1 and body::jsonb->'data' ? 'call'`,
    [callId, JSON.stringify(erased)],
  );
}
