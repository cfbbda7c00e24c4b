import { z } from "zod";
import type { ErrorCode } from "../errors.ts";
import type { Route } from "../route.ts";
import { MODES } from "../shared-fields.ts";
import { takesIdempotencyKey } from "./errors-of-route.ts";

// The optional headers have neither example nor enum: reference pages would add them to every sample request.
const idempotencyKey = z.string().min(1).max(255).optional().meta({
  description:
    "Makes the request safe to retry for 7 days: the first successful response is stored and returned again, with `Idempotent-Replayed: true`. The API keys of an account share one namespace; each signed-in member has their own.",
});
const ifMatch = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: "The `revision` of the draft that you read.", example: "3" });
const mode = z
  .string()
  .regex(new RegExp(`^(${MODES.join("|")})$`))
  .optional()
  .meta({
    description: "For cookie requests: the mode; by default `?mode=`, then `test`. A key has its own mode.",
  });

const range = z.string().max(200).optional().meta({
  description:
    "One range of bytes, such as `bytes=0-65535` (RFC 9110, section 14). Multiple ranges return the whole file.",
});

/** The request headers that a route reads, besides credentials. */
export function requestHeadersOf(route: Route): z.ZodObject {
  return z.object({
    ...(takesIdempotencyKey(route) ? { "Idempotency-Key": idempotencyKey } : {}),
    ...(route.errors.includes("draft_conflict") ? { "If-Match": ifMatch } : {}),
    ...(route.access.by === "key_or_member" ? { "X-Parley-Mode": mode } : {}),
    ...(route.takesRange ? { Range: range } : {}),
  });
}

const header = (id: string, description: string, example: string, schema: z.ZodType = z.string()) =>
  schema.meta({ header: { id, description }, example });

const ON_EVERY_REPLY = {
  "X-Request-Id": header(
    "RequestId",
    "The id of the request; include it when you report a problem.",
    "req_01k8m3v9zq4t6w8y0a2c4e6g8j",
  ),
  "RateLimit-Policy": header("RateLimitPolicy", "The limit: requests per number of seconds.", '"api";q=100;w=1'),
  RateLimit: header("RateLimit", "The remaining requests, and the seconds until the limit is reset.", '"api";r=99;t=1'),
};
const idempotentReplayed = header(
  "IdempotentReplayed",
  "`true` if this is the stored response of an earlier request.",
  "true",
  z.enum(["true"]).optional(),
);
const retryAfter = header("RetryAfter", "Seconds to wait before retrying.", "1", z.string().optional());
const wwwAuthenticate = header(
  "WwwAuthenticate",
  "How to authenticate, and what was wrong.",
  "Bearer",
  z.string().optional(),
);

const WITH_RETRY_AFTER: readonly ErrorCode[] = [
  "idempotency_in_progress",
  "rate_limited",
  "queue_full",
  "too_many_attempts",
  "unavailable",
];

export function partHeaders(): z.ZodObject {
  return z.object({
    ...ON_EVERY_REPLY,
    "Content-Range": header("ContentRange", "The range of this part, and the total length.", "bytes 0-65535/1344044"),
  });
}

export function successHeadersOf(route: Route): z.ZodObject {
  return z.object({
    ...ON_EVERY_REPLY,
    ...(takesIdempotencyKey(route) ? { "Idempotent-Replayed": idempotentReplayed } : {}),
  });
}

export function errorHeadersOf(status: number, codes: readonly ErrorCode[]): z.ZodObject {
  const saysHow = status === 401 || codes.includes("insufficient_scope");
  return z.object({
    ...ON_EVERY_REPLY,
    ...(codes.some((code) => WITH_RETRY_AFTER.includes(code)) ? { "Retry-After": retryAfter } : {}),
    ...(saysHow ? { "WWW-Authenticate": wwwAuthenticate } : {}),
  });
}
