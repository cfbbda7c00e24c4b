import type { Delivery, DeliveryStatus } from "@parley/contract/webhook-deliveries";
import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import type { Tone } from "../../../ui/feedback/badge.tsx";
import { webhooksText } from "./text.tsx";

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
  if (status === "pending" && attemptCount > 0) return { tone: "warning", text: webhooksText.retrying };
  return { tone: DELIVERY_TONES[status], text: webhooksText.deliveryStatus[status] };
}

/** An endpoint disabled by a member is intended; one disabled for its failures is not. */
export function badgeOfEndpoint({ isEnabled, disabledReason, failingSince }: WebhookEndpoint): {
  readonly tone: Tone;
  readonly text: string;
} {
  if (!isEnabled) return { tone: disabledReason === "member" ? "neutral" : "danger", text: webhooksText.disabled };
  return failingSince
    ? { tone: "warning", text: webhooksText.failing }
    : { tone: "accent", text: webhooksText.enabled };
}

export function wantedEvents({ eventTypes }: Pick<WebhookEndpoint, "eventTypes">): string {
  if (eventTypes === null) return webhooksText.allEvents;
  return eventTypes.length === 1 ? (eventTypes[0] ?? "") : webhooksText.eventKinds(eventTypes.length);
}
