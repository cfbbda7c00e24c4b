import { createHmac } from "node:crypto";
import { secretBytes } from "../endpoint-secret.ts";

export interface SignedHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/**
 * The headers of Standard Webhooks. The id is that of the event, the same for every attempt; the moment is that of the
 * attempt, because receivers refuse what is more than five minutes old. Several secrets give several signatures.
 */
export function signEvent(eventId: string, body: string, secrets: readonly string[], nowMs: number): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => {
    const mac = createHmac("sha256", secretBytes(secret)).update(`${eventId}.${timestamp}.`).update(body);
    return `v1,${mac.digest("base64")}`;
  });
  return { "webhook-id": eventId, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
