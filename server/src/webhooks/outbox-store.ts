import type { Mode } from "@parley/contract/shared-fields";
import type { AlertBody, DisabledWebhookBody, TestWebhookBody } from "@parley/contract/webhooks";
import { DELIVERIES_CHANNEL } from "../platform/database/channels.ts";
import { type Database, run, type Tx } from "../platform/database/database.ts";
import { notifyAfterCommit } from "../platform/database/notify-after-commit.ts";

/** Reports an event that is about no call. With an endpoint it is for that one alone. */
export async function insertEvent(
  tx: Tx,
  owner: { readonly accountId: string; readonly mode: Mode },
  body: AlertBody | DisabledWebhookBody | TestWebhookBody,
  endpointId: string | null,
): Promise<void> {
  await run(tx, "/* insert_event */ select report_event($1, $2, $3, $4, null, null, $5, $6)", [
    body.id,
    owner.accountId,
    owner.mode,
    body.type,
    JSON.stringify(body),
    endpointId,
  ]);
  notifyAfterCommit(tx, DELIVERIES_CHANNEL);
}

export interface ReportedEvent {
  readonly id: string;
  readonly body: string;
  readonly created_at: Date;
}

/** The account's events since a moment, in order. The moment is the database's own, so that no clocks are compared. */
export async function readEventsSince(
  db: Database,
  accountId: string,
  mode: Mode,
  since: Date,
  limit: number,
): Promise<ReportedEvent[]> {
  return run<ReportedEvent>(
    db,
    `/* read_events_since */ select id, body, created_at from outbox
     where account_id = $1 and mode = $2 and created_at >= $3 order by created_at, id limit $4`,
    [accountId, mode, since, limit],
  );
}

export async function readDatabaseTime(db: Database): Promise<Date> {
  const [row] = await run<{ now: Date }>(db, "select clock_timestamp() as now");
  return row?.now ?? new Date();
}

/** Deletes a limited number of attempts that began before a moment. Returns how many there were. */
async function deleteAttemptsBefore(db: Database, before: Date, rowsMax: number): Promise<number> {
  const rows = await run(
    db,
    `with old as (select delivery_id, fence from webhook_attempts where started_at < $1 limit $2)
     delete from webhook_attempts a using old where a.delivery_id = old.delivery_id and a.fence = old.fence returning 1`,
    [before, rowsMax],
  );
  return rows.length;
}

/** Replayed deliveries that still wait are kept until they are done. */
async function deleteDeliveriesBefore(db: Database, before: Date, rowsMax: number): Promise<number> {
  const rows = await run(
    db,
    `with old as (select id from webhook_deliveries where created_at < $1 and status <> 'pending' limit $2)
     delete from webhook_deliveries d using old where d.id = old.id returning 1`,
    [before, rowsMax],
  );
  return rows.length;
}

async function deleteEventsBefore(db: Database, before: Date, rowsMax: number): Promise<number> {
  const rows = await run(
    db,
    `with old as (
       select o.id from outbox o
       where o.created_at < $1 and not exists (select 1 from webhook_deliveries d where d.event_id = o.id) limit $2
     )
     delete from outbox o using old where o.id = old.id returning 1`,
    [before, rowsMax],
  );
  return rows.length;
}

/** Removed endpoints of which nothing is left to look at. */
async function deleteForgottenEndpoints(db: Database, _before: Date, rowsMax: number): Promise<number> {
  const rows = await run(
    db,
    `with forgotten as (
       select e.id from webhook_endpoints e
       where e.deleted_at is not null
         and not exists (select 1 from webhook_deliveries d where d.endpoint_id = e.id)
         and not exists (select 1 from outbox o where o.endpoint_id = e.id)
       limit $1
     )
     delete from webhook_endpoints e using forgotten where e.id = forgotten.id returning 1`,
    [rowsMax],
  );
  return rows.length;
}

/** An event that was being committed while its endpoint was disabled or removed still waits; it is held like the others. */
async function holdForDisabled(db: Database, _before: Date, rowsMax: number): Promise<number> {
  const rows = await run(
    db,
    `with waiting as (
       select d.id from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
       where (not e.is_enabled or e.deleted_at is not null) and d.status = 'pending' and not d.is_asked_for
       limit $1
     )
     update webhook_deliveries d set status = 'held', next_attempt_at = null
     from waiting where d.id = waiting.id and d.status = 'pending' and not d.is_asked_for returning 1`,
    [rowsMax],
  );
  return rows.length;
}

/** How long events can be replayed and attempts viewed. */
const HISTORY_DAYS = 90;
const DAY_MS = 24 * 3600 * 1000;
// Small enough that no call waits behind it.
const ROWS_PER_STATEMENT = 5000;

/** Deletes data beyond its retention period, and cleans up what a race left waiting. */
export async function forgetOldEvents(
  db: Database,
  nowMs: number = Date.now(),
  rowsPerStatement = ROWS_PER_STATEMENT,
): Promise<void> {
  const before = new Date(nowMs - HISTORY_DAYS * DAY_MS);
  for (const step of [
    holdForDisabled,
    deleteAttemptsBefore,
    deleteDeliveriesBefore,
    deleteEventsBefore,
    deleteForgottenEndpoints,
  ]) {
    while ((await step(db, before, rowsPerStatement)) === rowsPerStatement);
  }
}
