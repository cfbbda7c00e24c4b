import type { ErrorCode, ErrorDetail, ErrorReply } from "./generated/types.ts";

/** The base of every error of this package. An aborted request throws the reason of its signal instead. */
export class ParleyError extends Error {
  override readonly name: string = "ParleyError";
}

/** The service refused a request, or failed to answer it. */
export class ApiError extends ParleyError {
  override readonly name: string = "ApiError";
  readonly status: number;
  /** From a closed list; `null` if the response did not come from Parley but, for example, from a proxy. */
  readonly code: ErrorCode | null;
  /** The first invalid field. */
  readonly param: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** For reports about the service. */
  readonly requestId: string | undefined;
  readonly docUrl: string | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, reply: ErrorReply["error"] | null, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.code = reply?.code ?? null;
    this.param = reply?.param;
    this.details = reply?.details ?? [];
    this.requestId = reply?.requestId;
    this.docUrl = reply?.docUrl;
    this.retryable = reply?.retryable ?? RETRYABLE_STATUSES.has(status);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** 401: the key is missing, wrong, revoked or expired. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 402: the credit is used up, or a spend cap is reached. */
export class CreditError extends ApiError {
  override readonly name = "CreditError";
}

/** 403: the key may not do this, or the number may not be called. */
export class PermissionError extends ApiError {
  override readonly name = "PermissionError";
}

/** 404: it does not exist, or not for this account. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 409 and 412: the current state does not allow this, or a draft was changed by someone else. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}

/** 400, 413, 415 and 422: the request is invalid; `details` lists the fields. */
export class ValidationError extends ApiError {
  override readonly name = "ValidationError";
}

/** 429: too many requests, or the queue is full. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}

/** 5xx: the service failed. */
export class ServiceError extends ApiError {
  override readonly name = "ServiceError";
}

/** No response arrived, or only a part of it. The request may have been carried out. */
export class ConnectionError extends ParleyError {
  override readonly name: string = "ConnectionError";
}

/** No response arrived in time. The request may have been carried out. */
export class TimeoutError extends ConnectionError {
  override readonly name = "TimeoutError";
}

/** A webhook is not signed with the secret, or too old. Do not act on it. */
export class WebhookVerificationError extends ParleyError {
  override readonly name = "WebhookVerificationError";
}

/** The error of a response, by its status. */
export function createApiError(
  status: number,
  reply: ErrorReply["error"] | null,
  message: string,
  retryAfterSeconds?: number,
): ApiError {
  const Kind = kindOf(status);
  return new Kind(status, reply, message, retryAfterSeconds);
}

function kindOf(status: number): typeof ApiError {
  switch (status) {
    case 401:
      return AuthenticationError;
    case 402:
      return CreditError;
    case 403:
      return PermissionError;
    case 404:
      return NotFoundError;
    case 409:
    case 412:
      return ConflictError;
    case 400:
    case 413:
    case 415:
    case 422:
      return ValidationError;
    case 429:
      return RateLimitError;
    default:
      return status >= 500 ? ServiceError : ApiError;
  }
}
