import { z } from "zod";
import { idSchema } from "../ids.ts";
import { Done, defineRoute } from "../route.ts";
import { PageQuery } from "../shared-fields.ts";
import { Delivery, DeliveryDetails, DeliveryQuery, Replay, ReplayQuery } from "../webhook-deliveries.ts";
import {
  CreatedWebhookEndpoint,
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointQuery,
  WebhookSecret,
} from "../webhook-endpoints.ts";

const WebhookParams = z.strictObject({ id: idSchema("webhook") });
const DeliveryParams = z.strictObject({ id: idSchema("delivery") });
const reading = { by: "key_or_member", scope: "webhooks:read" } as const;
const writing = { by: "key_or_member", scope: "webhooks:write" } as const;
const nothing = { body: z.strictObject({}), bodyOptional: true } as const;

export const listWebhooks = defineRoute({
  id: "listWebhooks",
  method: "GET",
  path: "/api/v1/webhooks",
  tag: "Webhooks",
  summary: "List endpoints, newest first",
  access: reading,
  query: WebhookEndpointQuery,
  data: WebhookEndpoint,
  paged: true,
});

export const createWebhook = defineRoute({
  id: "createWebhook",
  method: "POST",
  path: "/api/v1/webhooks",
  tag: "Webhooks",
  summary: "Add an endpoint; the response contains the secret that signs its events",
  access: writing,
  body: NewWebhookEndpoint,
  data: CreatedWebhookEndpoint,
  errors: ["invalid_state"],
});

export const getWebhook = defineRoute({
  id: "getWebhook",
  method: "GET",
  path: "/api/v1/webhooks/{id}",
  tag: "Webhooks",
  summary: "Get an endpoint",
  access: reading,
  params: WebhookParams,
  data: WebhookEndpoint,
  errors: ["not_found"],
});

export const changeWebhook = defineRoute({
  id: "changeWebhook",
  method: "PATCH",
  path: "/api/v1/webhooks/{id}",
  tag: "Webhooks",
  summary: "Change, enable or disable an endpoint",
  access: writing,
  params: WebhookParams,
  body: WebhookEndpointChanges,
  data: WebhookEndpoint,
  errors: ["not_found"],
});

export const deleteWebhook = defineRoute({
  id: "deleteWebhook",
  method: "DELETE",
  path: "/api/v1/webhooks/{id}",
  tag: "Webhooks",
  summary: "Remove an endpoint and its pending deliveries",
  access: writing,
  params: WebhookParams,
  data: Done,
  errors: ["not_found"],
});

export const getWebhookSecret = defineRoute({
  id: "getWebhookSecret",
  method: "GET",
  path: "/api/v1/webhooks/{id}/secret",
  tag: "Webhooks",
  summary: "Get the secret of an endpoint, as a signed-in member",
  access: { by: "member", role: "member" },
  params: WebhookParams,
  data: WebhookSecret,
  errors: ["not_found"],
});

export const rotateWebhookSecret = defineRoute({
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/api/v1/webhooks/{id}/rotate-secret",
  tag: "Webhooks",
  summary: "Create a new secret; for 24 hours events are signed with both",
  access: writing,
  params: WebhookParams,
  ...nothing,
  data: WebhookSecret,
  errors: ["not_found"],
});

export const testWebhook = defineRoute({
  id: "testWebhook",
  method: "POST",
  path: "/api/v1/webhooks/{id}/test",
  tag: "Webhooks",
  summary: "Send a `webhook.test` event to an endpoint, even if it is disabled",
  access: writing,
  params: WebhookParams,
  ...nothing,
  data: Delivery,
  idempotent: true,
  errors: ["not_found"],
});

export const listDeliveries = defineRoute({
  id: "listDeliveries",
  method: "GET",
  path: "/api/v1/webhooks/{id}/deliveries",
  tag: "Webhooks",
  summary: "List the deliveries of an endpoint, newest first",
  access: reading,
  params: WebhookParams,
  query: DeliveryQuery,
  data: Delivery,
  paged: true,
  errors: ["not_found"],
});

export const listCallDeliveries = defineRoute({
  id: "listCallDeliveries",
  method: "GET",
  path: "/api/v1/calls/{id}/deliveries",
  tag: "Webhooks",
  summary: "List the deliveries of a call to all endpoints, newest first",
  access: reading,
  params: z.strictObject({ id: idSchema("call") }),
  query: z.strictObject(PageQuery),
  data: Delivery,
  paged: true,
  errors: ["call_not_found"],
});

/** No Idempotency-Key: a repeated replay has the same `webhook-id`. */
export const replayWebhook = defineRoute({
  id: "replayWebhook",
  method: "POST",
  path: "/api/v1/webhooks/{id}/replay",
  tag: "Webhooks",
  summary: "Resend all events since a given time, even if the endpoint is disabled",
  access: writing,
  params: WebhookParams,
  query: ReplayQuery,
  ...nothing,
  data: Replay,
  errors: ["not_found"],
});

export const getDelivery = defineRoute({
  id: "getDelivery",
  method: "GET",
  path: "/api/v1/deliveries/{id}",
  tag: "Webhooks",
  summary: "Get a delivery with its body and every attempt",
  access: reading,
  params: DeliveryParams,
  data: DeliveryDetails,
  errors: ["not_found"],
});

export const replayDelivery = defineRoute({
  id: "replayDelivery",
  method: "POST",
  path: "/api/v1/deliveries/{id}/replay",
  tag: "Webhooks",
  summary: "Resend one event, even if the endpoint is disabled",
  access: writing,
  params: DeliveryParams,
  ...nothing,
  data: Delivery,
  idempotent: true,
  errors: ["not_found"],
});
