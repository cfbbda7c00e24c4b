/** What came of one request to an endpoint. */
export interface AttemptOutcome {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly isSuccess: boolean;
  /** Null when nothing came back that could be understood. */
  readonly httpStatus: number | null;
  /** What happened, in words for whoever looks at the attempt. */
  readonly reason: string;
  readonly responseBody: string | null;
  readonly retryAfterMs: number | null;
  /** The endpoint wants nothing more, ever (RFC 9110 section 15.5.11). */
  readonly isGone: boolean;
}
