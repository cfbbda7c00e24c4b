import type { ErrorReply } from "@parley/contract/errors";

type RefusalCode = ErrorReply["error"]["code"] | "unreachable";

/** Why the service did not do what it was asked, in words that can be shown. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly retryable: boolean;
  /** What is wrong with each field, by its name. */
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

  /** Whether whoever asked is not signed in, or not any more. */
  get isOfNobody(): boolean {
    return SIGNED_OUT.has(this.code);
  }
}

/** Routes that take keys too say that the key is missing when the cookie is. */
const SIGNED_OUT: ReadonlySet<RefusalCode> = new Set(["not_signed_in", "missing_api_key"]);

function inMinutes(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "a second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

/** The words for any error: those of a refusal are meant for people, others are not. */
export function inWords(error: unknown): string {
  return error instanceof Refusal ? error.message : "Something went wrong in this page. Reload it and try again.";
}
