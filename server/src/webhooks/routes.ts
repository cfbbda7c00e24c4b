import { makeId } from "@parley/contract/ids";
import * as routes from "@parley/contract/routes/webhooks";
import type { Delivery, Replay, ReplayQuery } from "@parley/contract/webhook-deliveries";
import { auditRequest } from "../accounts/audit/record-audit.ts";
import { requireCall } from "../calls/call-store.ts";
import { type Database, inTransaction, type Tx } from "../platform/database/database.ts";
import { type Cursors, toPage } from "../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../platform/http/handler.ts";
import {
  findDeliveryOfEvent,
  findDeliveryRow,
  listDeliveryRows,
  listDeliveryRowsOfCall,
  readAttemptRows,
  readEventBody,
  replayOne,
  replaySince,
  toAttempts,
  toDelivery,
} from "./delivery-store.ts";
import { type EndpointOwner, findEndpointRow, listEndpointRows, toEndpoint } from "./endpoint-store.ts";
import {
  changeEndpoint,
  createEndpoint,
  type EndpointDeps,
  readSecret,
  removeEndpoint,
  rotateSecret,
  unknownDelivery,
  unknownEndpoint,
} from "./endpoints.ts";
import { insertEvent } from "./outbox-store.ts";

export interface WebhookRouteDeps extends EndpointDeps {
  readonly db: Database;
  readonly cursors: Cursors;
}

/** Endpoints and what is sent to them. */
export function webhookRoutes(deps: WebhookRouteDeps): BoundRoute[] {
  return [...endpointRoutes(deps), ...secretRoutes(deps), ...deliveryRoutes(deps)];
}

function endpointRoutes(deps: WebhookRouteDeps): BoundRoute[] {
  const { db, cursors, nowMs } = deps;
  return [
    handle(routes.listWebhooks, async ({ accountId, mode, query }) => {
      const filter = ["webhooks", accountId, mode];
      const [afterId = null] = query.cursor ? cursors.read(query.cursor, filter) : [];
      const rows = await listEndpointRows(db, { accountId, mode }, afterId, query.limit + 1);
      const page = toPage(rows, query.limit, (last) => cursors.write([last.id], filter));
      return { data: page.rows.map((row) => toEndpoint(row, nowMs())), nextCursor: page.nextCursor };
    }),
    handle(routes.createWebhook, (request) =>
      inTransaction(db, async (tx) => {
        const created = await createEndpoint(deps, tx, request, request.body);
        await auditRequest(tx, request, "webhook.created", created.id, hostOf(created));
        return { data: created };
      }),
    ),
    handle(routes.getWebhook, async (request) => {
      const row = await findEndpointRow(db, request, request.params.id);
      if (!row) throw unknownEndpoint();
      return { data: toEndpoint(row, nowMs()) };
    }),
    handle(routes.changeWebhook, (request) =>
      inTransaction(db, async (tx) => {
        const data = await changeEndpoint(deps, tx, request, request.params.id, request.body);
        await auditRequest(tx, request, "webhook.changed", data.id, hostOf(data));
        return { data };
      }),
    ),
    handle(routes.deleteWebhook, (request) =>
      inTransaction(db, async (tx) => {
        await removeEndpoint(tx, request, request.params.id);
        await auditRequest(tx, request, "webhook.deleted", request.params.id);
        return { data: {} };
      }),
    ),
  ];
}

function secretRoutes(deps: WebhookRouteDeps): BoundRoute[] {
  return [
    handle(routes.getWebhookSecret, (request) =>
      inTransaction(deps.db, async (tx) => {
        const data = await readSecret(deps, tx, request, request.params.id);
        await auditRequest(tx, request, "webhook.secret_shown", request.params.id);
        return { data };
      }),
    ),
    handle(routes.rotateWebhookSecret, (request) =>
      inTransaction(deps.db, async (tx) => {
        const data = await rotateSecret(deps, tx, request, request.params.id);
        await auditRequest(tx, request, "webhook.secret_rotated", request.params.id);
        return { data };
      }),
    ),
  ];
}

/** Where events go, for the audit log. What follows the host may be as good as a password. */
function hostOf({ url }: { readonly url: string }): { readonly host: string } {
  return { host: new URL(url).host };
}

interface DeliveryRouteDeps {
  readonly db: Database;
  readonly cursors: Cursors;
  nowMs(): number;
}

const ATTEMPTS_SHOWN_MAX = 100;

function deliveryRoutes({ db, cursors, nowMs }: DeliveryRouteDeps): BoundRoute[] {
  return [
    handle(routes.listDeliveries, async (request) => {
      const { accountId, mode, params } = request;
      if (!(await findEndpointRow(db, request, params.id))) throw unknownEndpoint();
      const { limit, cursor, ...filter } = request.query;
      const tie = ["deliveries", accountId, mode, params.id, filter.status, filter.eventType, filter.callId];
      const [createdAt, id] = cursor ? cursors.read(cursor, tie) : [];
      const after = createdAt && id ? { createdAt, id } : null;
      const rows = await listDeliveryRows(db, params.id, filter, after, limit + 1);
      const page = toPage(rows, limit, (last) => cursors.write([last.created_at.toISOString(), last.id], tie));
      return { data: page.rows.map(toDelivery), nextCursor: page.nextCursor };
    }),

    handle(routes.listCallDeliveries, async (request) => {
      const call = await requireCall(db, request, request.params.id);
      const { limit, cursor } = request.query;
      const tie = ["deliveries of a call", request.accountId, request.mode, call.id];
      const [createdAt, id] = cursor ? cursors.read(cursor, tie) : [];
      const after = createdAt && id ? { createdAt, id } : null;
      const rows = await listDeliveryRowsOfCall(db, request, call.id, after, limit + 1);
      const page = toPage(rows, limit, (last) => cursors.write([last.created_at.toISOString(), last.id], tie));
      return { data: page.rows.map(toDelivery), nextCursor: page.nextCursor };
    }),

    handle(routes.getDelivery, async (request) => {
      const row = await findDeliveryRow(db, request, request.params.id);
      if (!row) throw unknownDelivery();
      const [body, attempts] = await Promise.all([
        readEventBody(db, row.event_id),
        readAttemptRows(db, row.id, ATTEMPTS_SHOWN_MAX),
      ]);
      return { data: { ...toDelivery(row), body, attempts: toAttempts(attempts, row.attempt_count) } };
    }),

    handle(routes.testWebhook, (request) =>
      request.once(async (tx) => ({ data: await sendTestEvent(tx, request, request.params.id, nowMs()) })),
    ),

    handle(routes.replayDelivery, (request) =>
      request.once(async (tx) => ({ data: await replayDelivery(tx, request, request.params.id) })),
    ),

    handle(routes.replayWebhook, (request) =>
      inTransaction(db, async (tx) => {
        const data = await replayEvents(tx, request, request.params.id, request.query);
        await auditRequest(tx, request, "webhook.replayed", request.params.id);
        return { data };
      }),
    ),
  ];
}

/** What one request replays: more would keep its transaction open for seconds. */
const REPLAYED_EVENTS_MAX = 10_000;

/** Sends one event again, under the same id. */
export async function replayDelivery(tx: Tx, owner: EndpointOwner, id: string): Promise<Delivery> {
  const row = await findDeliveryRow(tx, owner, id);
  if (!row) throw unknownDelivery();
  return toDelivery(await replayOne(tx, id));
}

/** Sends everything since a moment again, each event under its own id. */
export async function replayEvents(
  tx: Tx,
  owner: EndpointOwner,
  id: string,
  { since, only }: ReplayQuery,
  eventsMax = REPLAYED_EVENTS_MAX,
): Promise<Replay> {
  const endpoint = await findEndpointRow(tx, owner, id);
  if (!endpoint) throw unknownEndpoint();
  const { count, lastAt } = await replaySince(tx, id, new Date(since), only === "undelivered", eventsMax);
  return { eventCount: count, nextSince: lastAt?.toISOString() ?? null };
}

/** Sends an endpoint a test event, by the same path as all events. */
async function sendTestEvent(tx: Tx, owner: EndpointOwner, id: string, nowMs: number): Promise<Delivery> {
  const endpoint = await findEndpointRow(tx, owner, id);
  if (!endpoint) throw unknownEndpoint();
  const eventId = makeId("event", nowMs);
  await insertEvent(
    tx,
    owner,
    {
      id: eventId,
      type: "webhook.test",
      createdAt: new Date(nowMs).toISOString(),
      sequence: null,
      data: { webhook: { id, url: endpoint.url, description: endpoint.description } },
    },
    id,
  );
  return toDelivery(await findDeliveryOfEvent(tx, eventId, id));
}
