import type { Delivery, DeliveryAttempt } from "@parley/contract/webhook-deliveries";
import type { Selectable } from "kysely";
import type { Schema } from "../platform/database/schema/schema.ts";

export type DeliveryRow = Selectable<Schema["webhook_deliveries"]>;
export type AttemptRow = Selectable<Schema["webhook_attempts"]>;

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    callId: row.call_id,
    status: row.status,
    attemptCount: row.attempt_count,
    nextAttemptAt: dueAt(row)?.toISOString() ?? null,
    lastAttemptAt: row.last_attempt_at?.toISOString() ?? null,
    lastStatus: row.last_status,
    lastReason: row.last_reason,
    createdAt: row.created_at.toISOString(),
    deliveredAt: row.delivered_at?.toISOString() ?? null,
  };
}

/** What is due at once has been due since it was queued. */
function dueAt({ next_attempt_at: next, last_attempt_at: last, created_at: created }: DeliveryRow): Date | null {
  return typeof next === "number" ? (last ?? created) : next;
}

/** `newest` come newest first; their numbers are counted from the first attempt ever. */
export function toAttempts(newest: readonly AttemptRow[], attemptCount: number): DeliveryAttempt[] {
  return newest.map((row, index) => ({
    ordinal: attemptCount - index,
    startedAt: row.started_at.toISOString(),
    latencyMs: row.latency_ms,
    isSuccess: row.is_success,
    status: row.status,
    reason: row.reason,
    responseBody: row.response_body,
  }));
}
