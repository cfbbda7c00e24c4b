import type { Mode } from "@parley/contract/shared-fields";
import type { DeliveredType, DeliveryStatus } from "@parley/contract/webhook-deliveries";
import type { DisabledReason, WebhookType } from "@parley/contract/webhooks";
import type { ColumnType } from "kysely";
import type { Filled, FilledTime, Time, TimeOrNull } from "./column-types.ts";

/** What is told to the programs of customers. */
export interface WebhookTables {
  outbox: {
    id: string;
    account_id: string;
    mode: Mode;
    type: string;
    call_id: string | null;
    sequence: number | null;
    body: string;
    created_at: FilledTime;
    endpoint_id: ColumnType<string | null, string | null | undefined, string | null>;
  };
  webhook_endpoints: WebhookEndpointTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_attempts: {
    delivery_id: string;
    fence: number;
    started_at: Time;
    latency_ms: number;
    is_success: boolean;
    status: number | null;
    reason: string;
    response_body: string | null;
  };
}

export interface WebhookEndpointTable {
  id: string;
  account_id: string;
  mode: Mode;
  url: string;
  event_types: WebhookType[] | null;
  description: string;
  header_names: string[];
  headers_sealed: Buffer;
  secret_sealed: Buffer;
  previous_secret_sealed: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  previous_secret_until: TimeOrNull;
  is_enabled: Filled<boolean>;
  disabled_at: TimeOrNull;
  disabled_reason: ColumnType<DisabledReason | null, DisabledReason | null | undefined, DisabledReason | null>;
  failures_in_a_row: Filled<number>;
  paused_until: TimeOrNull;
  failing_since: TimeOrNull;
  warned_at: TimeOrNull;
  last_success_at: TimeOrNull;
  created_at: FilledTime;
  updated_at: FilledTime;
  deleted_at: TimeOrNull;
}

export interface WebhookDeliveryTable {
  id: string;
  endpoint_id: string;
  event_id: string;
  event_type: DeliveredType;
  call_id: string | null;
  status: DeliveryStatus;
  is_asked_for: Filled<boolean>;
  try_count: Filled<number>;
  attempt_count: Filled<number>;
  /** The driver reads the database's infinities as numbers. */
  next_attempt_at: ColumnType<Date | number | null, Date | string | null | undefined, Date | string | null>;
  claimed_until: TimeOrNull;
  fence: Filled<number>;
  last_attempt_at: TimeOrNull;
  last_status: ColumnType<number | null, number | null | undefined, number | null>;
  last_reason: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: FilledTime;
  delivered_at: TimeOrNull;
}
