import { z } from "zod";

export interface ErrorRule {
  readonly status: number;
  readonly retryable: boolean;
  readonly meaning: string;
}

/** The closed list of error codes. `docs/reference/errors.md` is generated from it. */
export const ERRORS = {
  malformed_json: { status: 400, retryable: false, meaning: "The body is not valid JSON in UTF-8." },
  bad_request: {
    status: 400,
    retryable: false,
    meaning: "The request is not valid HTTP or not valid for this API.",
  },
  missing_api_key: { status: 401, retryable: false, meaning: "No `Authorization: Bearer <API_KEY>` header was sent." },
  invalid_api_key: { status: 401, retryable: false, meaning: "The key is malformed, unknown, revoked or expired." },
  not_signed_in: {
    status: 401,
    retryable: false,
    meaning: "This route requires a signed-in member, or the sign-in failed.",
  },
  insufficient_credit: {
    status: 402,
    retryable: false,
    meaning: "The credit does not cover the first two minutes of the call.",
  },
  spend_limit_reached: {
    status: 402,
    retryable: false,
    meaning: "A spend cap of the account, the key, the call or the number is reached.",
  },
  insufficient_scope: { status: 403, retryable: false, meaning: "The key lacks the scope named in the message." },
  not_allowed: {
    status: 403,
    retryable: false,
    meaning: "The signed-in member's role does not allow this, or an API key may not do it at all.",
  },
  destination_not_allowed: {
    status: 403,
    retryable: false,
    meaning: "The number may not be called; the message gives the reason.",
  },
  ip_not_allowed: { status: 403, retryable: false, meaning: "The key may not be used from this address." },
  sign_up_closed: { status: 403, retryable: false, meaning: "This installation does not accept sign-ups." },
  not_signed: {
    status: 403,
    retryable: false,
    meaning: "A callback is not signed by the vendor of a trunk, or concerns no call.",
  },
  cross_site: { status: 403, retryable: false, meaning: "A cookie request came from another origin." },
  not_found: { status: 404, retryable: false, meaning: "The resource does not exist, or not for this account." },
  agent_not_found: { status: 404, retryable: false, meaning: "The account has no such agent." },
  call_not_found: { status: 404, retryable: false, meaning: "The account has no such call in this mode." },
  method_not_allowed: { status: 405, retryable: false, meaning: "The path does not support this method; see `Allow`." },
  request_timeout: {
    status: 408,
    retryable: true,
    meaning: "The headers or the body did not arrive in time; the connection was closed and nothing was done.",
  },
  idempotency_in_progress: {
    status: 409,
    retryable: true,
    meaning: "Another request with this Idempotency-Key is still running.",
  },
  invalid_state: { status: 409, retryable: false, meaning: "The resource is not in a state that allows this." },
  agent_not_published: { status: 409, retryable: false, meaning: "The agent has no published version yet." },
  engine_unavailable: {
    status: 409,
    retryable: false,
    meaning: "The engine is not configured; the message names what is missing.",
  },
  draft_conflict: { status: 412, retryable: false, meaning: "The draft was changed since the revision in `If-Match`." },
  payload_too_large: { status: 413, retryable: false, meaning: "The body exceeds the limit of this route." },
  unsupported_media_type: { status: 415, retryable: false, meaning: "The body must be `application/json`." },
  range_not_satisfiable: {
    status: 416,
    retryable: false,
    meaning: "The `Range` is beyond the end; `Content-Range` gives the total length.",
  },
  validation_failed: {
    status: 422,
    retryable: false,
    meaning: "A field is missing, unknown or invalid; `details` lists up to 50 errors.",
  },
  engine_unknown: {
    status: 422,
    retryable: false,
    meaning: "There is no engine with this name; the message lists the available ones.",
  },
  idempotency_mismatch: { status: 422, retryable: false, meaning: "This Idempotency-Key was used with another body." },
  rate_limited: { status: 429, retryable: true, meaning: "Too many requests; wait for `Retry-After` seconds." },
  queue_full: { status: 429, retryable: true, meaning: "The account has reached its limit of queued calls." },
  too_many_attempts: {
    status: 429,
    retryable: true,
    meaning: "Too many failed attempts to sign in; wait for `Retry-After` seconds.",
  },
  internal: { status: 500, retryable: true, meaning: "A fault of the service. Report the request id." },
  unavailable: {
    status: 503,
    retryable: true,
    meaning:
      "Something that the request needs, such as the database, a storage or a model, is unavailable; nothing was done.",
  },
} as const satisfies Record<string, ErrorRule>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** What varies in a message, for programs that word it themselves by its code. */
export const MessageParts = z.record(z.string(), z.string()).meta({
  description: "What varies in the message, such as names, for programs that word it themselves by its code.",
});

export const ErrorDetail = z
  .strictObject({ param: z.string(), code: z.string(), message: z.string(), parts: MessageParts.optional() })
  .meta({ id: "ErrorDetail", description: "One error in the request." });
export type ErrorDetail = z.infer<typeof ErrorDetail>;

/** The maximum number of errors in a reply; validation stops there. */
export const ERROR_DETAILS_MAX = 50;

export const ErrorReply = z
  .strictObject({
    success: z.literal(false),
    error: z.strictObject({
      code: z.enum(ERROR_CODES).meta({ id: "ErrorCode", description: "Why a request failed; a closed list." }),
      message: z.string().meta({ description: "For humans; the wording may change." }),
      param: z.string().optional().meta({ description: "The first invalid field." }),
      details: z
        .array(ErrorDetail)
        .max(ERROR_DETAILS_MAX)
        .optional()
        .meta({ description: `The errors by field, at most ${ERROR_DETAILS_MAX}.` }),
      requestId: z.string(),
      docUrl: z.string(),
      retryable: z.boolean(),
    }),
  })
  .meta({ id: "ErrorReply", description: "The body of every 4xx and 5xx response." });
export type ErrorReply = z.infer<typeof ErrorReply>;

export interface AppErrorOptions extends ErrorOptions {
  readonly details?: readonly ErrorDetail[];
  readonly param?: string;
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that the client can act on; its message is safe to show. Every other error is a bug and becomes `internal`. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.details = options.details ?? [];
    this.param = options.param ?? options.details?.[0]?.param;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** An error about one field. */
export function invalidField(param: string, code: string, message: string): AppError {
  return new AppError("validation_failed", message, { details: [{ param, code, message }] });
}
