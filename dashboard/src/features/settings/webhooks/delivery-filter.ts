import type { DeliveredType, DeliveryStatus } from "@parley/contract/webhook-deliveries";

/** The filter of an endpoint's deliveries. It is part of the URL. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  readonly eventType?: DeliveredType;
}

// Written out, because the router reads filters before any page, its texts or the schemas of webhooks are loaded.
const STATUSES: Readonly<Record<DeliveryStatus, true>> = { pending: true, delivered: true, failed: true, held: true };
const EVENT_TYPES: Readonly<Record<DeliveredType, true>> = {
  "call.initiated": true,
  "call.in_progress": true,
  "call.completed": true,
  "call.failed": true,
  "call.transcript.ready": true,
  "call.recording.ready": true,
  "call.analyzed": true,
  "credit.low": true,
  "alert.raised": true,
  "alert.resolved": true,
  "webhook.disabled": true,
  "webhook.test": true,
};

const isKeyOf = <Key extends string>(known: Readonly<Record<Key, true>>, value: unknown): value is Key =>
  typeof value === "string" && Object.hasOwn(known, value);

/** Unknown values are dropped, so that old links still open. */
export function readDeliveryFilter({ status, eventType }: Record<string, unknown>): DeliveryFilter {
  return {
    ...(isKeyOf(STATUSES, status) ? { status } : {}),
    ...(isKeyOf(EVENT_TYPES, eventType) ? { eventType } : {}),
  };
}
