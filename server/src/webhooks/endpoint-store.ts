import type { Mode } from "@parley/contract/shared-fields";
import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import type { DisabledReason } from "@parley/contract/webhooks";
import type { Insertable, Selectable, Updateable } from "kysely";
import { type Database, run, type Tx } from "../platform/database/database.ts";
import type { Schema } from "../platform/database/schema/schema.ts";

/** The account and mode that endpoints belong to. */
export interface EndpointOwner {
  readonly accountId: string;
  readonly mode: Mode;
}

/** Counts the endpoints there are, and blocks adding another until the transaction ends. */
export async function countEndpoints(tx: Tx, { accountId, mode }: EndpointOwner): Promise<number> {
  await run(tx, "select pg_advisory_xact_lock(hashtextextended($1, 0))", [`webhook_endpoints/${accountId}/${mode}`]);
  // A separate statement: its snapshot must be younger than the lock.
  const [row] = await run<{ count: number }>(
    tx,
    "select count(*)::int as count from webhook_endpoints where account_id = $1 and mode = $2 and deleted_at is null",
    [accountId, mode],
  );
  return row?.count ?? 0;
}

export async function insertEndpoint(tx: Tx, endpoint: Insertable<Schema["webhook_endpoints"]>): Promise<EndpointRow> {
  return tx.insertInto("webhook_endpoints").values(endpoint).returningAll().executeTakeFirstOrThrow();
}

/** Ids sort by time, so the newest endpoint comes first. */
export async function listEndpointRows(
  db: Database,
  owner: EndpointOwner,
  afterId: string | null,
  limit: number,
): Promise<EndpointRow[]> {
  let query = ofOwner(db, owner).orderBy("id", "desc").limit(limit);
  if (afterId) query = query.where("id", "<", afterId);
  return query.execute();
}

export async function findEndpointRow(db: Database, owner: EndpointOwner, id: string): Promise<EndpointRow | null> {
  return (await ofOwner(db, owner).where("id", "=", id).executeTakeFirst()) ?? null;
}

/** The same, locked until the transaction ends. Events can still be queued for the endpoint meanwhile. */
export async function lockEndpointRow(tx: Tx, owner: EndpointOwner, id: string): Promise<EndpointRow | null> {
  return (await ofOwner(tx, owner).where("id", "=", id).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/** In order of their ids, so that transactions that lock several never deadlock. */
export async function lockEndpointRows(tx: Tx, ids: readonly string[]): Promise<EndpointRow[]> {
  return tx
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("id", "in", ids)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

export async function updateEndpoint(
  tx: Tx,
  id: string,
  changes: Updateable<Schema["webhook_endpoints"]>,
): Promise<EndpointRow> {
  return tx
    .updateTable("webhook_endpoints")
    .set(changes)
    .set((eb) => ({ updated_at: eb.fn<Date>("clock_timestamp") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface HealthUpdate {
  readonly id: string;
  readonly failuresInARow: number;
  readonly pausedUntil: Date | null;
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly warnedAt: Date | null;
}

/** Its health does not count as a change of the endpoint. */
export async function writeHealth(tx: Tx, updates: readonly HealthUpdate[]): Promise<void> {
  await run(
    tx,
    `/* write_endpoint_health */ update webhook_endpoints e
     set failures_in_a_row = n.failures, paused_until = n.paused, failing_since = n.failing, last_success_at = n.succeeded,
       warned_at = n.warned
     from unnest($1::text[], $2::int[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[])
       as n(id, failures, paused, failing, succeeded, warned)
     where e.id = n.id`,
    [
      updates.map(({ id }) => id),
      updates.map(({ failuresInARow }) => failuresInARow),
      updates.map(({ pausedUntil }) => pausedUntil),
      updates.map(({ failingSince }) => failingSince),
      updates.map(({ lastSuccessAt }) => lastSuccessAt),
      updates.map(({ warnedAt }) => warnedAt),
    ],
  );
}

export async function setDisabled(tx: Tx, id: string, reason: DisabledReason, at: Date): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set({ is_enabled: false, disabled_reason: reason, disabled_at: at })
    .where("id", "=", id)
    .execute();
}

/** Deletes its secrets immediately; the row stays as long as its deliveries can be viewed. */
export async function setDeleted(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set({
      secret_sealed: Buffer.alloc(0),
      previous_secret_sealed: null,
      previous_secret_until: null,
      headers_sealed: Buffer.alloc(0),
      header_names: [],
    })
    .set((eb) => ({ deleted_at: eb.fn<Date>("clock_timestamp") }))
    .where("id", "=", id)
    .execute();
}

function ofOwner(db: Database, { accountId, mode }: EndpointOwner) {
  return db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("mode", "=", mode)
    .where("deleted_at", "is", null);
}

export type EndpointRow = Selectable<Schema["webhook_endpoints"]>;

/** The endpoint as everyone outside sees it: without its secret and without the values of its headers. */
export function toEndpoint(row: EndpointRow, nowMs: number): WebhookEndpoint {
  const isRotating = row.previous_secret_until !== null && row.previous_secret_until.getTime() > nowMs;
  return {
    id: row.id,
    mode: row.mode,
    url: row.url,
    eventTypes: row.event_types,
    description: row.description,
    headerNames: row.header_names,
    isEnabled: row.is_enabled,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since?.toISOString() ?? null,
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    previousSecretUntil: isRotating ? (row.previous_secret_until?.toISOString() ?? null) : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
