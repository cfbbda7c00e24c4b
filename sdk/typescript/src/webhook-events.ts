import { WebhookVerificationError } from "./errors.ts";
import type {
  AlertWebhookBody,
  CallWebhookBody,
  CreditLowBody,
  DisabledWebhookBody,
  WebhookTestBody,
} from "./generated/types.ts";

/** The body of a webhook; `type` says which. */
export type WebhookEvent = AlertWebhookBody | CallWebhookBody | CreditLowBody | DisabledWebhookBody | WebhookTestBody;

/** The headers of a request: of `fetch`, of Node or of a framework. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How old the request may be, and how far in the future. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Default: the current time. */
  readonly nowMs?: number;
}

const TOLERANCE_SECONDS = 300;

/**
 * Checks the signature of a webhook (Standard Webhooks) and returns the event. Pass the body as it was received, not
 * parsed. During a rotation pass both secrets. Throws a WebhookVerificationError, in which case the request must not be
 * acted on. The same event may arrive again: its `id` tells.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  checkAge(timestamp, toleranceSeconds, nowMs);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const candidates = signatures
    .split(" ")
    .flatMap((each) => (each.startsWith("v1,") ? [fromBase64(each.slice(3))] : []));
  for (const each of typeof secret === "string" ? [secret] : secret) {
    const key = await crypto.subtle.importKey("raw", readSecret(each), { name: "HMAC", hash: "SHA-256" }, false, [
      "verify",
    ]);
    for (const candidate of candidates) {
      // Compares in constant time.
      if (candidate && (await crypto.subtle.verify("HMAC", key, candidate, signed)))
        return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
    }
  }
  throw new WebhookVerificationError("No signature matches the secret.");
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`The header ${name} is missing.`);
  return value;
}

function checkAge(timestamp: string, toleranceSeconds: number, nowMs: number): void {
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookVerificationError("The header webhook-timestamp is not a number.");
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw new WebhookVerificationError("The request is too old.");
  if (-ageSeconds > toleranceSeconds) throw new WebhookVerificationError("The request is from the future.");
}

function readSecret(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.replace(/^whsec_/, ""));
  if (key === null || key.length === 0) throw new WebhookVerificationError("The secret must look like whsec_...");
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
