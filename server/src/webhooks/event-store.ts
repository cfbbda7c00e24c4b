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
