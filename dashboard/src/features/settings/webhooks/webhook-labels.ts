import type { DeliveredType, Delivery, DeliveryStatus } from "@parley/contract/webhook-deliveries";
import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import type { DisabledReason } from "@parley/contract/webhooks";
import type { Tone } from "../../../ui/feedback/badge.tsx";

/** What each event tells, for whoever chooses among them. */
export const EVENT_MEANINGS: Readonly<Record<DeliveredType, string>> = {
  "call.initiated": "A call was accepted",
  "call.in_progress": "A call was answered",
  "call.completed": "A call ended in an orderly way",
  "call.failed": "A call was never answered, or broke",
  "call.transcript.ready": "A transcript can be fetched",
  "call.recording.ready": "A recording can be fetched",
  "call.analyzed": "An answered call was analyzed",
  "credit.low": "The credit runs low (live mode)",
  "webhook.disabled": "Another endpoint was disabled",
  "webhook.test": "A test you asked for",
};

export const DELIVERY_WORDS: Readonly<Record<DeliveryStatus, string>> = {
  pending: "On its way",
  delivered: "Delivered",
  failed: "Failed",
  held: "Held back",
};

export const DISABLED_WORDS: Readonly<Record<DisabledReason, string>> = {
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

/** Something that was tried and is tried again is not simply on its way. */
export function badgeOfDelivery({ status, attemptCount }: Pick<Delivery, "status" | "attemptCount">): {
  readonly tone: Tone;
  readonly text: string;
} {
  if (status === "pending" && attemptCount > 0) return { tone: "warning", text: "Tried again soon" };
  return { tone: DELIVERY_TONES[status], text: DELIVERY_WORDS[status] };
}

/** What somebody switched off is as it should be; what was disabled for its failures is not. */
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

/** What the deliveries of an endpoint are narrowed to. It lives in the address. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  readonly eventType?: DeliveredType;
}

const isKeyOf = <Key extends string>(words: Readonly<Record<Key, string>>, value: unknown): value is Key =>
  typeof value === "string" && Object.hasOwn(words, value);

/** What is not understood is left out: an old link still opens. */
export function readDeliveryFilter({ status, eventType }: Record<string, unknown>): DeliveryFilter {
  return {
    ...(isKeyOf(DELIVERY_WORDS, status) ? { status } : {}),
    ...(isKeyOf(EVENT_MEANINGS, eventType) ? { eventType } : {}),
  };
}
