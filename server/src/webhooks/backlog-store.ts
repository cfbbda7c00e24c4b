import { type Database, run } from "../platform/database/database.ts";

/** More are not counted, so that a long backlog costs no more than a short one. */
const COUNTED_MAX = 10_000;

export interface DeliveryBacklog {
  readonly due: number;
  /** How long the oldest of them has been due; null when there is none. */
  readonly oldest_seconds: number | null;
}

/** Deliveries to enabled endpoints that are due and not under way. */
export async function readDeliveryBacklog(db: Database, nowMs: number): Promise<DeliveryBacklog> {
  const [row] = await run<DeliveryBacklog>(
    db,
    `/* read_delivery_backlog */ select count(*)::int as due,
       extract(epoch from $1::timestamptz - min(greatest(next_attempt_at, created_at)))::float8 as oldest_seconds
     from (
       select d.next_attempt_at, d.created_at from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
       where d.status = 'pending' and d.next_attempt_at <= $1 and (e.is_enabled or d.is_asked_for) and e.deleted_at is null
       limit ${COUNTED_MAX}
     ) waiting`,
    [new Date(nowMs)],
  );
  return row ?? { due: 0, oldest_seconds: null };
}
