import { z } from "zod";
import { idSchema } from "./ids.ts";
import { PageQuery, Timestamp, TimestampInput } from "./shared-fields.ts";
import { WEBHOOK_TYPES } from "./webhooks.ts";

const DELIVERY_STATUSES = ["pending", "delivered", "failed", "held"] as const;
export const DeliveryStatus = z.enum(DELIVERY_STATUSES).meta({
  id: "DeliveryStatus",
  description:
    "`pending`: in progress or waiting for the next attempt. `delivered`: accepted with a 2xx. `failed`: all attempts failed. `held`: the endpoint is disabled. The last three can be replayed.",
});
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

const DeliveredType = z.enum([...WEBHOOK_TYPES, "webhook.test"]).meta({ id: "DeliveredType" });
export type DeliveredType = z.infer<typeof DeliveredType>;

export const Delivery = z
  .strictObject({
    id: idSchema("delivery"),
    webhookId: idSchema("webhook"),
    eventId: idSchema("event").meta({
      description: "Sent as `webhook-id`; the same for every attempt and every replay.",
    }),
    eventType: DeliveredType,
    callId: idSchema("call").nullable(),
    status: DeliveryStatus,
    attemptCount: z.int(),
    nextAttemptAt: Timestamp.nullable(),
    lastAttemptAt: Timestamp.nullable(),
    lastStatus: z.int().nullable().meta({ description: "The status of the latest response, if any." }),
    lastReason: z.string().nullable().meta({ description: "The result of the latest attempt." }),
    createdAt: Timestamp,
    deliveredAt: Timestamp.nullable(),
  })
  .meta({ id: "Delivery", description: "One event for one endpoint." });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryAttempt = z
  .strictObject({
    ordinal: z.int(),
    startedAt: Timestamp,
    latencyMs: z.int(),
    isSuccess: z.boolean(),
    status: z.int().nullable(),
    reason: z.string(),
    responseBody: z.string().nullable().meta({ description: "The first 16 KiB of the response." }),
  })
  .meta({ id: "DeliveryAttempt" });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const DeliveryDetails = z
  .strictObject({
    ...Delivery.shape,
    body: z.string().meta({ description: "The exact request body." }),
    attempts: z.array(DeliveryAttempt).meta({ description: "Newest first, at most 100." }),
  })
  .meta({ id: "DeliveryDetails" });
export type DeliveryDetails = z.infer<typeof DeliveryDetails>;

export const DeliveryQuery = z.strictObject({
  ...PageQuery,
  status: DeliveryStatus.optional(),
  eventType: DeliveredType.optional(),
  callId: idSchema("call").optional(),
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

export const ReplayQuery = z.strictObject({
  since: TimestampInput.meta({ description: "Events from this time on, up to 90 days back." }),
  only: z
    .enum(["undelivered"])
    .optional()
    .meta({ description: "`undelivered` excludes events that were already accepted." }),
});
export type ReplayQuery = z.infer<typeof ReplayQuery>;

export const Replay = z
  .strictObject({
    eventCount: z.int().meta({ description: "The number of events that will be sent." }),
    nextSince: Timestamp.nullable().meta({
      description: "Set if there are more events than one request replays: repeat the request with this `since`.",
    }),
  })
  .meta({ id: "Replay" });
export type Replay = z.infer<typeof Replay>;
