import { z } from "zod";
import { Alert } from "./alerts.ts";
import { Call } from "./calls.ts";
import { idSchema } from "./ids.ts";
import { Usd } from "./money.ts";
import { Timestamp } from "./shared-fields.ts";

export const CALL_WEBHOOK_TYPES = [
  "call.initiated",
  "call.in_progress",
  "call.completed",
  "call.failed",
  "call.transcript.ready",
  "call.recording.ready",
  "call.analyzed",
] as const;
export type CallWebhookType = (typeof CALL_WEBHOOK_TYPES)[number];

/** The event types that an endpoint can subscribe to. A test event is always sent to the tested endpoint. */
export const WEBHOOK_TYPES = [
  ...CALL_WEBHOOK_TYPES,
  "credit.low",
  "alert.raised",
  "alert.resolved",
  "webhook.disabled",
] as const;
export const WebhookType = z.enum(WEBHOOK_TYPES).meta({ id: "WebhookType" });
export type WebhookType = z.infer<typeof WebhookType>;

const DISABLED_REASONS = ["member", "gone", "failing"] as const;
export const DisabledReason = z.enum(DISABLED_REASONS).meta({
  id: "WebhookDisabledReason",
  description:
    "`member`: disabled by a request. `gone`: the endpoint responded with 410. `failing`: nothing was accepted for five days.",
});
export type DisabledReason = z.infer<typeof DisabledReason>;

const head = { id: idSchema("event"), createdAt: Timestamp };
const noSequence = z.null().meta({ description: "Only call events have a sequence number." });

/** The body of a webhook about a call, fixed when the event is committed. */
export const CallWebhookBody = z
  .strictObject({
    ...head,
    type: z.enum(CALL_WEBHOOK_TYPES),
    sequence: z.int().meta({
      description: "The event's number in the call's timeline: of two events of one call, the higher number is later.",
    }),
    data: z.strictObject({ call: Call }),
  })
  .meta({ id: "CallWebhookBody" });
export type CallWebhookBody = z.infer<typeof CallWebhookBody>;

const SentWebhook = z.strictObject({ id: idSchema("webhook"), url: z.string(), description: z.string() });

export const DisabledWebhookBody = z
  .strictObject({
    ...head,
    type: z.literal("webhook.disabled"),
    sequence: noSequence,
    data: z.strictObject({ webhook: SentWebhook, reason: DisabledReason, explanation: z.string() }),
  })
  .meta({ id: "DisabledWebhookBody" });
export type DisabledWebhookBody = z.infer<typeof DisabledWebhookBody>;

export const CreditLowBody = z
  .strictObject({
    ...head,
    type: z.literal("credit.low"),
    sequence: noSequence,
    data: z.strictObject({
      balance: Usd.meta({ description: "The remaining credit." }),
      held: Usd.meta({ description: "The amount held for calls." }),
      creditLowAt: Usd,
      currency: z.literal("USD"),
    }),
  })
  .meta({
    id: "CreditLowBody",
    description: "Sent once when the balance falls below the setting, and again after a top-up.",
  });
export type CreditLowBody = z.infer<typeof CreditLowBody>;

export const AlertBody = z
  .strictObject({
    ...head,
    type: z.enum(["alert.raised", "alert.resolved"]),
    sequence: noSequence,
    data: z.strictObject({ alert: Alert }),
  })
  .meta({ id: "AlertWebhookBody" });
export type AlertBody = z.infer<typeof AlertBody>;

export const TestWebhookBody = z
  .strictObject({
    ...head,
    type: z.literal("webhook.test"),
    sequence: noSequence,
    data: z.strictObject({ webhook: SentWebhook }),
  })
  .meta({ id: "WebhookTestBody" });
export type TestWebhookBody = z.infer<typeof TestWebhookBody>;
