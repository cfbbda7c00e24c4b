import type { DeliveredType, Delivery, DeliveryStatus } from "@parley/contract/webhook-deliveries";
import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import type { DisabledReason } from "@parley/contract/webhooks";
import type { Tone } from "../../../ui/feedback/badge.tsx";

/** What each event means, shown where events are selected. */
export const EVENT_MEANINGS: Readonly<Record<DeliveredType, string>> = {
  "call.initiated": "A call was accepted",
  "call.in_progress": "A call was answered",
  "call.completed": "A call ended in an orderly way",
  "call.failed": "A call was never answered, or broke",
  "call.transcript.ready": "A transcript can be fetched",
  "call.recording.ready": "A recording can be fetched",
  "call.analyzed": "An answered call was analyzed",
  "credit.low": "The credit runs low (live mode)",
  "alert.raised": "An alert was raised",
  "alert.resolved": "An alert was resolved",
  "webhook.disabled": "Another endpoint was disabled",
  "webhook.test": "A test you asked for",
};

export const DELIVERY_LABELS: Readonly<Record<DeliveryStatus, string>> = {
  pending: "On its way",
  delivered: "Delivered",
  failed: "Failed",
  held: "Held back",
};

export const DISABLED_LABELS: Readonly<Record<DisabledReason, string>> = {
  member: "It was switched off by hand or by a request.",
  gone: "It answered 410 Gone, which asks for nothing more, ever.",
  failing: "It accepted nothing for five days.",
};

const DELIVERY_TONES: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: "accent",
  delivered: "neutral",
  failed: "danger",
  held: "warning",
};

/** A delivery that failed and will be retried is shown differently from a new one. */
export function badgeOfDelivery({ status, attemptCount }: Pick<Delivery, "status" | "attemptCount">): {
  readonly tone: Tone;
  readonly text: string;
} {
  if (status === "pending" && attemptCount > 0) return { tone: "warning", text: "Retrying" };
  return { tone: DELIVERY_TONES[status], text: DELIVERY_LABELS[status] };
}

/** An endpoint disabled by a member is intended; one disabled for its failures is not. */
export function badgeOfEndpoint({ isEnabled, disabledReason, failingSince }: WebhookEndpoint): {
  readonly tone: Tone;
  readonly text: string;
} {
  if (!isEnabled) return { tone: disabledReason === "member" ? "neutral" : "danger", text: "Disabled" };
  return failingSince ? { tone: "warning", text: "Failing" } : { tone: "accent", text: "Enabled" };
}

export function wantedEvents({ eventTypes }: Pick<WebhookEndpoint, "eventTypes">): string {
  if (eventTypes === null) return "All events";
  return eventTypes.length === 1 ? (eventTypes[0] ?? "") : `${eventTypes.length} kinds of events`;
}

/** The filter of an endpoint's deliveries. It is part of the URL. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  readonly eventType?: DeliveredType;
}

const isKeyOf = <Key extends string>(words: Readonly<Record<Key, string>>, value: unknown): value is Key =>
  typeof value === "string" && Object.hasOwn(words, value);

/** Unknown values are dropped, so that old links still open. */
export function readDeliveryFilter({ status, eventType }: Record<string, unknown>): DeliveryFilter {
  return {
    ...(isKeyOf(DELIVERY_LABELS, status) ? { status } : {}),
    ...(isKeyOf(EVENT_MEANINGS, eventType) ? { eventType } : {}),
  };
}
