import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Mode, PageQuery, Timestamp } from "./shared-fields.ts";
import { DisabledReason, WebhookType } from "./webhooks.ts";

/** The maximum number of endpoints per account and mode. */
export const ENDPOINTS_MAX = 20;

const url = z.string().min(1).max(2048).meta({
  description: "The URL that receives events: https on the public internet, unless the operator allows more.",
  example: "https://app.example/parley-events",
});
const eventTypes = z.array(WebhookType).min(1).max(50).nullable().meta({
  description: "The event types to send. `null`: all, including types added in later releases.",
});
const description = z.string().max(500);
const headers = z
  .record(z.string().min(1).max(100), z.string().max(1000))
  .refine((map) => Object.keys(map).length <= 20, "must have at most 20 headers")
  .meta({
    description:
      "Added to each request, for example for authentication. Their values are never shown again, and must be sent again if `url` changes to another host.",
  });
const isEnabled = z.boolean();

export const NewWebhookEndpoint = z
  .strictObject({
    url,
    eventTypes: eventTypes.default(null),
    description: description.default(""),
    headers: headers.default({}),
    isEnabled: isEnabled.default(true),
  })
  .meta({ id: "NewWebhookEndpoint" });
export type NewWebhookEndpoint = z.infer<typeof NewWebhookEndpoint>;

export const WebhookEndpointChanges = z
  .strictObject({ url, eventTypes, description, headers, isEnabled })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "WebhookEndpointChanges" });
export type WebhookEndpointChanges = z.infer<typeof WebhookEndpointChanges>;

export const WebhookEndpoint = z
  .strictObject({
    id: idSchema("webhook"),
    mode: Mode,
    url: z.string(),
    eventTypes: z.array(WebhookType).nullable(),
    description: z.string(),
    headerNames: z.array(z.string()),
    isEnabled: z.boolean(),
    disabledAt: Timestamp.nullable(),
    disabledReason: DisabledReason.nullable(),
    failingSince: Timestamp.nullable().meta({ description: "The first failure since the last accepted event." }),
    lastSuccessAt: Timestamp.nullable(),
    previousSecretUntil: Timestamp.nullable().meta({
      description: "Until then events are also signed with the previous secret.",
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "WebhookEndpoint", description: "A URL that receives events." });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

const secret = z.string().meta({ description: "The secret that signs events.", example: "whsec_..." });

export const CreatedWebhookEndpoint = z
  .strictObject({ ...WebhookEndpoint.shape, secret })
  .meta({ id: "CreatedWebhookEndpoint" });
export type CreatedWebhookEndpoint = z.infer<typeof CreatedWebhookEndpoint>;

export const WebhookSecret = z
  .strictObject({
    secret,
    previousSecret: z.string().nullable(),
    previousSecretUntil: Timestamp.nullable(),
  })
  .meta({ id: "WebhookSecret" });
export type WebhookSecret = z.infer<typeof WebhookSecret>;

export const WebhookEndpointQuery = z.strictObject({ ...PageQuery });
