import type { Delivery, DeliveryAttempt, DeliveryQuery } from "@parley/contract/webhook-deliveries";
import { type Selectable, sql } from "kysely";
import { DELIVERIES_CHANNEL } from "../platform/database/channels.ts";
import { type Database, run, type Tx } from "../platform/database/database.ts";
import { notifyAfterCommit } from "../platform/database/notify-after-commit.ts";
import type { Schema } from "../platform/database/schema/schema.ts";
import type { EndpointOwner } from "./endpoint-store.ts";

export type DeliveryFilter = Pick<DeliveryQuery, "status" | "eventType" | "callId">;

export interface DeliveryPosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Newest first, after a position. The endpoint must be known to be the asker's. */
export async function listDeliveryRows(
  db: Database,
  endpointId: string,
  filter: DeliveryFilter,
  after: DeliveryPosition | null,
  limit: number,
): Promise<DeliveryRow[]> {
  let query = db.selectFrom("webhook_deliveries").selectAll().where("endpoint_id", "=", endpointId);
  if (filter.status) query = query.where("status", "=", filter.status);
  if (filter.eventType) query = query.where("event_type", "=", filter.eventType);
  if (filter.callId) query = query.where("call_id", "=", filter.callId);
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id})`);
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

/** Newest first, to every endpoint that was not removed. The call must be known to be the asker's. */
export async function listDeliveryRowsOfCall(
  db: Database,
  { accountId, mode }: EndpointOwner,
  callId: string,
  after: DeliveryPosition | null,
  limit: number,
): Promise<DeliveryRow[]> {
  let query = db
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_endpoints as e", "e.id", "d.endpoint_id")
    .selectAll("d")
    .where("d.call_id", "=", callId)
    .where("e.account_id", "=", accountId)
    .where("e.mode", "=", mode)
    .where("e.deleted_at", "is", null);
  if (after) query = query.where(sql<boolean>`(d.created_at, d.id) < (${after.createdAt}::timestamptz, ${after.id})`);
  return query.orderBy("d.created_at", "desc").orderBy("d.id", "desc").limit(limit).execute();
}

/** Null for a delivery of another account or mode, or to an endpoint that was removed. */
export async function findDeliveryRow(
  db: Database,
  { accountId, mode }: EndpointOwner,
  id: string,
): Promise<DeliveryRow | null> {
  const row = await db
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_endpoints as e", "e.id", "d.endpoint_id")
    .selectAll("d")
    .where("d.id", "=", id)
    .where("e.account_id", "=", accountId)
    .where("e.mode", "=", mode)
    .where("e.deleted_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

export async function readEventBody(db: Database, eventId: string): Promise<string> {
  const row = await db.selectFrom("outbox").select("body").where("id", "=", eventId).executeTakeFirstOrThrow();
  return row.body;
}

export async function readAttemptRows(db: Database, deliveryId: string, limit: number): Promise<AttemptRow[]> {
  return db
    .selectFrom("webhook_attempts")
    .selectAll()
    .where("delivery_id", "=", deliveryId)
    .orderBy("fence", "desc")
    .limit(limit)
    .execute();
}

/** The one delivery of an event that is for one endpoint alone. */
export async function findDeliveryOfEvent(tx: Tx, eventId: string, endpointId: string): Promise<DeliveryRow> {
  return tx
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("event_id", "=", eventId)
    .where("endpoint_id", "=", endpointId)
    .executeTakeFirstOrThrow();
}

/** Restarts the delivery. An attempt in progress may finish, but its result no longer counts. */
const BEGIN_ANEW =
  "status = 'pending', is_asked_for = true, try_count = 0, next_attempt_at = '-infinity', claimed_until = null, fence = d.fence + 1";

export async function replayOne(tx: Tx, deliveryId: string): Promise<DeliveryRow> {
  const [row] = await run<DeliveryRow>(
    tx,
    `/* replay_delivery */ update webhook_deliveries d set ${BEGIN_ANEW} where d.id = $1 returning d.*`,
    [deliveryId],
  );
  if (!row) throw new Error(`delivery ${deliveryId} is gone`);
  notifyAfterCommit(tx, DELIVERIES_CHANNEL);
  return row;
}

export interface ReplayedEvents {
  readonly count: number;
  /** The time of the last event that was read; null when nothing is left. */
  readonly lastAt: Date | null;
}

/**
 * All events since a moment that the endpoint subscribes to, even from before it existed or while it was disabled. The
 * events for it alone, which are tests, are left out: they were about another moment.
 */
const REPLAY_SINCE = `/* replay_since */
  with wanted as (
    select o.id, o.type, o.call_id, o.created_at
    from webhook_endpoints e
    join outbox o on o.account_id = e.account_id and o.mode = e.mode
    left join webhook_deliveries had on had.event_id = o.id and had.endpoint_id = e.id
    where e.id = $1 and o.created_at >= $2 and o.endpoint_id is null
      and (e.event_types is null or o.type = any(e.event_types))
      and ($3::boolean is not true or had.delivered_at is null)
    order by o.created_at, o.id limit $4
  ), queued as (
    insert into webhook_deliveries as d (id, endpoint_id, event_id, event_type, call_id, status, is_asked_for, next_attempt_at, created_at)
    select 'dlv_' || substr(w.id, 5, 10) || right(replace(gen_random_uuid()::text, '-', ''), 16), $1, w.id, w.type, w.call_id,
      'pending', true, '-infinity', w.created_at
    from wanted w
    on conflict on constraint webhook_deliveries_event_id_endpoint_id_key do update set ${BEGIN_ANEW}
    returning 1
  )
  select (select count(*)::int from queued) as count, (select max(created_at) from wanted) as "lastAt"`;

export async function replaySince(
  tx: Tx,
  endpointId: string,
  since: Date,
  onlyUndelivered: boolean,
  eventsMax: number,
): Promise<ReplayedEvents> {
  const [row] = await run<ReplayedEvents>(tx, REPLAY_SINCE, [endpointId, since, onlyUndelivered, eventsMax]);
  if (!row) throw new Error("a count has one row");
  notifyAfterCommit(tx, DELIVERIES_CHANNEL);
  return { count: row.count, lastAt: row.count === eventsMax ? row.lastAt : null };
}

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

/** A delivery due immediately has been due since it was queued. */
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
