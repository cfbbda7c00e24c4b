import { createHmac, timingSafeEqual } from "node:crypto";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const TOLERANCE_SECONDS = 300;

/** Checks a webhook (Standard Webhooks). Returns why it must not be acted on, or null. The body is as it was received. */
export function findForgery(body: Buffer, headers: Headers, secret: string, nowMs: number): string | null {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => headers[name],
  );
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string")
    return "The request is not signed.";
  if (!/^\d{1,15}$/.test(timestamp)) return "The header webhook-timestamp is not a number.";
  if (Math.abs(Math.floor(nowMs / 1000) - Number(timestamp)) > TOLERANCE_SECONDS)
    return "The request is more than five minutes off.";
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (key.length === 0) return "The secret of the subscription is missing.";
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  const isSigned = signatures.split(" ").some((each) => {
    const given = each.startsWith("v1,") ? Buffer.from(each.slice(3), "base64") : Buffer.alloc(0);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? null : "No signature matches the secret of the subscription.";
}
