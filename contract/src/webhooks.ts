import { z } from "zod";
import { Call } from "./calls.ts";
import { idSchema } from "./ids.ts";
import { Timestamp } from "./shared-fields.ts";

export const CALL_WEBHOOK_TYPES = [
  "call.initiated",
  "call.in_progress",
  "call.completed",
  "call.failed",
  "call.transcript.ready",
  "call.recording.ready",
] as const;
export type CallWebhookType = (typeof CALL_WEBHOOK_TYPES)[number];

/** What a webhook about a call carries, frozen when the event is committed. */
export const CallWebhookBody = z
  .strictObject({
    id: idSchema("event"),
    type: z.enum(CALL_WEBHOOK_TYPES),
    createdAt: Timestamp,
    sequence: z.int(),
    data: z.strictObject({ call: Call }),
  })
  .meta({ id: "CallWebhookBody" });
export type CallWebhookBody = z.infer<typeof CallWebhookBody>;
