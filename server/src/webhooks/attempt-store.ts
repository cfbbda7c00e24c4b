import type { DeliveryStatus } from "@parley/contract/webhook-deliveries";
import { run, type Tx } from "../platform/database/database.ts";

/** The result of an attempt and the next state of its delivery. */
export interface AttemptNote {
  readonly deliveryId: string;
  readonly fence: number;
  readonly startedAt: Date;
  readonly latencyMs: number;
  readonly isSuccess: boolean;
  readonly httpStatus: number | null;
  readonly reason: string;
  readonly responseBody: string | null;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Date | null;
  readonly endedAt: Date;
}

/**
 * An attempt is identified by its claim, so writing it again after a lost reply changes nothing. Its result counts only
 * while the claim is the last one: a replay requested meanwhile continues.
 */
const WRITE = `/* write_attempts */
  with note as (
    select * from unnest($1::text[], $2::int[], $3::timestamptz[], $4::int[], $5::boolean[], $6::int[], $7::text[], $8::text[],
      $9::text[], $10::timestamptz[], $11::timestamptz[])
      as n(delivery_id, fence, started_at, latency_ms, is_success, http_status, reason, response_body, status, next_attempt_at, ended_at)
  ), written as (
    insert into webhook_attempts (delivery_id, fence, started_at, latency_ms, is_success, status, reason, response_body)
    select delivery_id, fence, started_at, latency_ms, is_success, http_status, reason, response_body from note
    on conflict do nothing
    returning delivery_id
  )
  update webhook_deliveries d
  set attempt_count = d.attempt_count + 1, last_attempt_at = n.started_at, last_status = n.http_status, last_reason = n.reason,
    claimed_until = case when d.fence = n.fence then null else d.claimed_until end,
    try_count = case when d.fence = n.fence then d.try_count + 1 else d.try_count end,
    status = case when d.fence = n.fence then n.status else d.status end,
    next_attempt_at = case when d.fence = n.fence then n.next_attempt_at else d.next_attempt_at end,
    is_asked_for = case when d.fence = n.fence and n.status <> 'pending' then false else d.is_asked_for end,
    delivered_at = case when n.is_success then coalesce(d.delivered_at, n.ended_at) else d.delivered_at end
  from note n join written w on w.delivery_id = n.delivery_id
  where d.id = n.delivery_id`;

/** Records a batch of attempts, each of another delivery. */
export async function writeAttempts(tx: Tx, notes: readonly AttemptNote[]): Promise<void> {
  await run(tx, WRITE, [
    notes.map((note) => note.deliveryId),
    notes.map((note) => note.fence),
    notes.map((note) => note.startedAt),
    notes.map((note) => note.latencyMs),
    notes.map((note) => note.isSuccess),
    notes.map((note) => note.httpStatus),
    notes.map((note) => note.reason),
    notes.map((note) => note.responseBody),
    notes.map((note) => note.status),
    notes.map((note) => note.nextAttemptAt),
    notes.map((note) => note.endedAt),
  ]);
}

/** Counts the events that failed since a moment, up to a number, newest first. */
export async function countFailedEvents(tx: Tx, endpointId: string, since: Date, max: number): Promise<number> {
  const [row] = await run<{ count: number }>(
    tx,
    `/* count_failed_events */ select count(*)::int as count from (
       select 1 from webhook_deliveries
       where endpoint_id = $1 and status <> 'delivered' and last_attempt_at >= $2
       order by created_at desc, id desc limit $3
     ) failed`,
    [endpointId, since, max],
  );
  return row?.count ?? 0;
}

/** What waited for an endpoint that is now disabled or deleted is kept for a replay. */
export async function holdDeliveries(tx: Tx, endpointId: string): Promise<void> {
  await run(
    tx,
    `/* hold_deliveries */ update webhook_deliveries
     set status = 'held', next_attempt_at = null, is_asked_for = false
     where endpoint_id = $1 and status = 'pending'`,
    [endpointId],
  );
}
