import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { ERRORS, type ErrorCode, ErrorReply } from "../errors.ts";
import type { Access, Route } from "../route.ts";
import { SCOPE_MEANINGS, type Scope } from "../scopes.ts";
import { MODES } from "../shared-fields.ts";
import { errorsByStatus, takesIdempotencyKey } from "./errors-of-route.ts";
import { BODY_EXAMPLES, DATA_EXAMPLES } from "./examples.ts";

/** Describes one route as an OpenAPI operation. */
export function describeOperation(route: Route): ZodOpenApiOperationObject {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: titleOf(route),
    description: descriptionOf(route),
    security: securityOf(route.access),
    ...(route.access.by === "key_or_member" && route.access.scope ? { "x-required-scope": route.access.scope } : {}),
    ...(route.producesJson && route.alsoProduces.length > 0 ? { "x-also-produces": [...route.alsoProduces] } : {}),
    ...("role" in route.access ? { "x-required-role": route.access.role } : {}),
    requestParams: {
      ...(isEmpty(route.params) ? {} : { path: route.params as z.ZodObject }),
      ...(isEmpty(route.query) ? {} : { query: route.query as z.ZodObject }),
      ...(isEmpty(requestHeadersOf(route)) ? {} : { header: requestHeadersOf(route) }),
    },
    ...(route.body ? { requestBody: bodyOf(route, route.body) } : {}),
    responses: {
      "200": successOf(route),
      ...(route.takesRange ? { "206": partOf(route) } : {}),
      ...refusalsOf(route),
    },
  };
}

// Text after a semicolon is an explanation, too long for a table of contents.
function titleOf(route: Route): string {
  return route.summary.split("; ")[0]?.replaceAll("`", "") ?? route.summary;
}

function descriptionOf(route: Route): string {
  const sentences = [`${route.summary}.`, whoMay(route.access)];
  if (route.paged) sentences.push("Returns a page; send `nextCursor` as `cursor` to get the next one.");
  if (route.producesJson && route.alsoProduces.length > 0)
    sentences.push(`\`Accept\` selects another format: ${route.alsoProduces.map((type) => `\`${type}\``).join(", ")}.`);
  if (takesIdempotencyKey(route)) sentences.push("Safe to retry with an `Idempotency-Key`.");
  if (route.body) sentences.push(`The body is limited to ${route.bodyLimitBytes / 1024} KiB.`);
  return sentences.join("\n\n");
}

function whoMay(access: Access): string {
  switch (access.by) {
    case "anyone":
      return "Open to anyone.";
    case "operator_token":
      return "Requires the operator's token.";
    case "member":
      return `By cookie only, API keys may not do this: ${access.role === "member" ? "any member" : access.role === "owner" ? "an owner" : "an operator"}.`;
    case "key_or_member":
      return `By API key ${scopeWords(access.scope)}, or by cookie${access.role ? ` as an ${access.role}` : ""}.`;
  }
}

function scopeWords(scope: Scope | null): string {
  return scope === null ? "of any scope" : `with the scope \`${scope}\` (${SCOPE_MEANINGS[scope].toLowerCase()})`;
}

function securityOf(access: Access): Record<string, string[]>[] {
  switch (access.by) {
    case "anyone":
      return [];
    case "operator_token":
      return [{ operatorToken: [] }];
    case "member":
      return [{ cookie: [] }];
    case "key_or_member":
      return [{ apiKey: [] }, { cookie: [] }];
  }
}

function bodyOf(route: Route, schema: z.ZodType) {
  if (!(route.id in BODY_EXAMPLES)) throw new Error(`${route.id} takes a body and has no example`);
  return {
    required: !route.bodyOptional,
    content: { "application/json": { schema, example: BODY_EXAMPLES[route.id] } },
  };
}

function successOf(route: Route) {
  const envelope = route.paged
    ? z.strictObject({
        success: z.literal(true),
        data: z.array(route.data),
        nextCursor: z
          .string()
          .nullable()
          .meta({ description: "The cursor of the next page; `null` on the last page." }),
      })
    : z.strictObject({ success: z.literal(true), data: route.data });
  const data = DATA_EXAMPLES[route.id];
  const example = data ? { example: { success: true, data } } : {};
  const json = route.producesJson ? { "application/json": { schema: envelope, ...example } } : {};
  return {
    description: "Done.",
    headers: successHeadersOf(route),
    // For a reply in several formats, client generators create a union type. Clients read JSON; the
    // other formats are described in text, and an export has its own path.
    content: route.producesJson ? json : otherContentOf(route),
  };
}

function partOf(route: Route) {
  return { description: "The requested part.", headers: partHeaders(), content: otherContentOf(route) };
}

function otherContentOf(route: Route) {
  return Object.fromEntries(route.alsoProduces.map((type) => [type, { schema: contentSchemaOf(type) }] as const));
}

/** Client generators read what is not binary as text, which would damage audio. */
function contentSchemaOf(mediaType: string): { type: "string"; format?: "binary" } {
  return mediaType.startsWith("text/") ? { type: "string" } : { type: "string", format: "binary" };
}

function refusalsOf(route: Route): ZodOpenApiResponsesObject {
  return Object.fromEntries(errorsByStatus(route).map(([status, codes]) => [String(status), refusal(status, codes)]));
}

// An error with a single code is the same on every route, so the document contains it once, under the code's name.
const shared = new Map<ErrorCode, ZodOpenApiResponseObject>();

function refusal(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const [first, ...others] = codes;
  const known = first && others.length === 0 ? shared.get(first) : undefined;
  if (known) return known;
  const response: ZodOpenApiResponseObject = {
    description: codes.map((code) => `- \`${code}\`: ${ERRORS[code].meaning}`).join("\n"),
    headers: errorHeadersOf(status, codes),
    content: { "application/json": { schema: ErrorReply } },
  };
  if (!first || others.length > 0) return response;
  const named = { ...response, id: pascalCase(first) };
  shared.set(first, named);
  return named;
}

function pascalCase(code: ErrorCode): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function isEmpty(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;
}

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
function requestHeadersOf(route: Route): z.ZodObject {
  return z.object({
    ...(takesIdempotencyKey(route) ? { "Idempotency-Key": idempotencyKey } : {}),
    ...(route.errors.includes("draft_conflict")
      ? { "If-Match": route.method === "PATCH" ? ifMatch : ifMatch.optional() }
      : {}),
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

function partHeaders(): z.ZodObject {
  return z.object({
    ...ON_EVERY_REPLY,
    "Content-Range": header("ContentRange", "The range of this part, and the total length.", "bytes 0-65535/1344044"),
  });
}

function successHeadersOf(route: Route): z.ZodObject {
  return z.object({
    ...ON_EVERY_REPLY,
    ...(takesIdempotencyKey(route) ? { "Idempotent-Replayed": idempotentReplayed } : {}),
  });
}

function errorHeadersOf(status: number, codes: readonly ErrorCode[]): z.ZodObject {
  const saysHow = status === 401 || codes.includes("insufficient_scope");
  return z.object({
    ...ON_EVERY_REPLY,
    ...(codes.some((code) => WITH_RETRY_AFTER.includes(code)) ? { "Retry-After": retryAfter } : {}),
    ...(saysHow ? { "WWW-Authenticate": wwwAuthenticate } : {}),
  });
}
