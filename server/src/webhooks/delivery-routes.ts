import * as routes from "@parley/contract/routes/webhooks";
import { auditRequest } from "../accounts/audit/audit-request.ts";
import { requireCall } from "../calls/call-store.ts";
import { type Database, inTransaction } from "../platform/database/database.ts";
import { type Cursors, toPage } from "../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../platform/http/handler.ts";
import { toAttempts, toDelivery } from "./delivery-record.ts";
import {
  findDeliveryRow,
  listDeliveryRows,
  listDeliveryRowsOfCall,
  readAttemptRows,
  readEventBody,
} from "./delivery-store.ts";
import { findEndpointRow } from "./endpoint-store.ts";
import { replayDelivery, replayEvents } from "./replay-events.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { unknownDelivery, unknownEndpoint } from "./unknown-endpoint.ts";

export interface DeliveryRouteDeps {
  readonly db: Database;
  readonly cursors: Cursors;
  nowMs(): number;
}

const ATTEMPTS_SHOWN_MAX = 100;

export function deliveryRoutes({ db, cursors, nowMs }: DeliveryRouteDeps): BoundRoute[] {
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
