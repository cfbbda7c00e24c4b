import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import {
  AlertBody,
  CALL_WEBHOOK_TYPES,
  CallWebhookBody,
  CreditLowBody,
  DisabledWebhookBody,
  TestWebhookBody,
} from "../webhooks.ts";

const MEANINGS: Readonly<Record<string, string>> = {
  "call.initiated": "A call was accepted.",
  "call.in_progress": "The callee answered.",
  "call.completed": "A call ended in an orderly way.",
  "call.failed": "A call was not answered, or broke.",
  "call.transcript.ready": "The transcript is complete.",
  "call.recording.ready": "The recording can be fetched.",
  "call.analyzed": "The outcome of the call is available.",
  "credit.low": "The credit fell below the account's threshold.",
  "alert.raised": "A figure of the account went beyond its threshold.",
  "alert.resolved": "The figure recovered, or is no longer watched.",
  "webhook.disabled": "An endpoint was disabled.",
  "webhook.test": "Sent on request, to test an endpoint.",
};

const BODIES: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(CALL_WEBHOOK_TYPES.map((type) => [type, CallWebhookBody])),
  "credit.low": CreditLowBody,
  "alert.raised": AlertBody,
  "alert.resolved": AlertBody,
  "webhook.disabled": DisabledWebhookBody,
  "webhook.test": TestWebhookBody,
};

const header = (description: string, example: string) => z.string().meta({ description, example });
/** The headers of Standard Webhooks. */
const SIGNATURE_HEADERS = z.object({
  "webhook-id": header("The id of the event; the same when it is sent again.", "evt_01k8m3v9zq4t6w8y0a2c4e6g8j"),
  "webhook-timestamp": header("When it was sent, in seconds since 1970.", "1769851800"),
  "webhook-signature": header(
    "`v1,` and the signature in base64; several are separated by spaces.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
});

/** The events that the service sends to endpoints, as OpenAPI webhooks. */
export function describeWebhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(BODIES).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          tags: ["Webhooks"],
          summary: MEANINGS[type] ?? type,
          description: `${MEANINGS[type]} Respond with any 2xx within 15 seconds; otherwise the event is sent again.`,
          security: [],
          requestParams: { header: SIGNATURE_HEADERS },
          requestBody: { required: true, content: { "application/json": { schema } } },
          responses: {
            "204": { description: "Received." },
            "4XX": { description: "Refused; it is sent again later." },
          },
        },
      },
    ]),
  );
}
