import type { ErrorDetail, ErrorReply } from "@parley/contract/errors";
import { apiText } from "./text.ts";

type ApiErrorCode = ErrorReply["error"]["code"] | "unreachable";

/** An error of the API, with a message that can be shown to the user. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly retryable: boolean;
  /** Error messages by field name. */
  readonly fields: Readonly<Record<string, string>>;
  /** What is wrong with each field, as the API says it. */
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;

  constructor(error: ErrorReply["error"] | null, retryAfterSeconds: number | null = null) {
    const message = error ? apiText.wordError(error) : apiText.unreachable;
    super(retryAfterSeconds ? apiText.tryAgainIn(message, retryAfterSeconds) : message);
    this.code = error?.code ?? "unreachable";
    this.retryable = error?.retryable ?? true;
    this.fields = Object.fromEntries(
      (error?.details ?? []).map((detail) => [detail.param, apiText.wordFieldError(detail)]),
    );
    this.details = error?.details ?? [];
    this.requestId = error?.requestId ?? null;
  }

  /** Whether the member is not signed in, or no longer is. */
  get isSignedOut(): boolean {
    return SIGNED_OUT.has(this.code);
  }
}

/** Routes that also accept API keys report a missing key when the cookie is missing. */
const SIGNED_OUT: ReadonlySet<ApiErrorCode> = new Set(["not_signed_in", "missing_api_key"]);

/** The message to show for any error. Only those of the API are written for users. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? error.message : apiText.pageFault;
}
