import type { ErrorReply } from "@parley/contract/errors";

type ApiErrorCode = ErrorReply["error"]["code"] | "unreachable";

/** An error of the API, with a message that can be shown to the user. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly retryable: boolean;
  /** Error messages by field name. */
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | null;

  constructor(error: ErrorReply["error"] | null, retryAfterSeconds: number | null = null) {
    const message = error?.message ?? "The service could not be reached. Check your connection and try again.";
    super(retryAfterSeconds ? `${message} Try again in ${inMinutes(retryAfterSeconds)}.` : message);
    this.code = error?.code ?? "unreachable";
    this.retryable = error?.retryable ?? true;
    this.fields = Object.fromEntries((error?.details ?? []).map(({ param, message }) => [param, message]));
    this.requestId = error?.requestId ?? null;
  }

  /** Whether the member is not signed in, or no longer is. */
  get isSignedOut(): boolean {
    return SIGNED_OUT.has(this.code);
  }
}

/** Routes that also accept API keys report a missing key when the cookie is missing. */
const SIGNED_OUT: ReadonlySet<ApiErrorCode> = new Set(["not_signed_in", "missing_api_key"]);

function inMinutes(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "a second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

/** The message to show for any error. Only those of the API are written for users. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? error.message : "Something went wrong in this page. Reload it and try again.";
}
