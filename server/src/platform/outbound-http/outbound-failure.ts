/** Why a request to a customer's URL came to nothing, and whether the same request may well succeed later. */
export const OUTBOUND_FAILURES = {
  /** The URL is none that may be requested. */
  bad_url: { retryable: false },
  /** The method, a header or the body is none that may be sent. */
  bad_request: { retryable: false },
  /** The name has no address, or nobody could say which. */
  dns_failed: { retryable: true },
  /** The name leads to an address that must not be reached. */
  refused_address: { retryable: false },
  /** Nothing listens there, or there is no way there. */
  connect_failed: { retryable: true },
  /** No certificate that can be trusted, or no TLS at all. */
  tls_failed: { retryable: false },
  timed_out: { retryable: true },
  /** The connection ended before the reply was complete. */
  connection_lost: { retryable: true },
  /** What came back is not HTTP, or not as it was asked for. */
  bad_reply: { retryable: false },
  too_large: { retryable: false },
  /** Whoever asked no longer wants the answer. */
  aborted: { retryable: false },
} as const satisfies Record<string, { readonly retryable: boolean }>;

export type OutboundFailureCode = keyof typeof OUTBOUND_FAILURES;

/**
 * The one error that leaves this folder. Its message is a sentence for the account that wrote the URL: it names no address,
 * so that nobody learns from it what is inside the operator's network. The cause is for the operator's log.
 */
export class OutboundFailure extends Error {
  override readonly name = "OutboundFailure";
  readonly code: OutboundFailureCode;
  readonly retryable: boolean;

  constructor(code: OutboundFailureCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = OUTBOUND_FAILURES[code].retryable;
  }
}
