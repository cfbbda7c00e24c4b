import * as routes from "@parley/contract/routes/webhooks";
import { auditRequest } from "../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../platform/database/database.ts";
import { type Cursors, toPage } from "../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../platform/http/handler.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { findEndpointRow, listEndpointRows, toEndpoint } from "./endpoint-store.ts";
import {
  changeEndpoint,
  createEndpoint,
  type EndpointDeps,
  readSecret,
  removeEndpoint,
  rotateSecret,
  unknownEndpoint,
} from "./endpoints.ts";

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
