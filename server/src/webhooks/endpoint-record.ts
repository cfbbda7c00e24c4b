import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import type { Selectable } from "kysely";
import type { Schema } from "../platform/database/schema/schema.ts";

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
