import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Mode, PageQuery, Timestamp } from "./shared-fields.ts";
import { DisabledReason, WebhookType } from "./webhooks.ts";

/** As many endpoints an account may have in each mode. */
export const ENDPOINTS_MAX = 20;

const url = z.string().min(1).max(2048).meta({
  description: "Where events are sent: https on the public internet, unless the operator opened more.",
  example: "https://app.example/parley-events",
});
const eventTypes = z.array(WebhookType).min(1).max(50).nullable().meta({
  description: "What is sent there. `null`: everything, also what later releases add.",
});
const description = z.string().max(500);
const headers = z
  .record(z.string().min(1).max(100), z.string().max(1000))
  .refine((map) => Object.keys(map).length <= 20, "must have at most 20 headers")
  .meta({
    description:
      "Sent with each request, for whoever guards the endpoint. Their values are never shown again, and must be sent again when `url` leads to another host.",
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
    failingSince: Timestamp.nullable().meta({ description: "The first failure since an event was last accepted." }),
    lastSuccessAt: Timestamp.nullable(),
    previousSecretUntil: Timestamp.nullable().meta({
      description: "Until then events are also signed with the secret from before the last rotation.",
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "WebhookEndpoint", description: "A place where events are sent." });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

const secret = z.string().meta({ description: "What events are signed with.", example: "whsec_..." });

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
