import type { OutboundTarget } from "./read-target.ts";

/** Why a request to a customer's URL came to nothing, and whether the same request may well succeed later. */
const OUTBOUND_FAILURES = {
  /** The URL is none that may be requested. */
  bad_url: { retryable: false },
  /** The method, a header or the body is none that may be sent. */
  bad_request: { retryable: false },
  /** The name has no address, or could not be resolved. */
  dns_failed: { retryable: true },
  /** The name leads to an address that must not be reached. */
  refused_address: { retryable: false },
  /** Nothing listens there, or there is no route. */
  connect_failed: { retryable: true },
  /** No certificate that can be trusted, or no TLS at all. */
  tls_failed: { retryable: false },
  timed_out: { retryable: true },
  /** The connection ended before the reply was complete. */
  connection_lost: { retryable: true },
  /** The reply is not HTTP, or not what was requested. */
  bad_reply: { retryable: false },
  too_large: { retryable: false },
  /** The caller no longer needs the reply. */
  aborted: { retryable: false },
} as const satisfies Record<string, { readonly retryable: boolean }>;

export type OutboundFailureCode = keyof typeof OUTBOUND_FAILURES;

/**
 * The one error that leaves this folder. Its message is a sentence for the account that wrote the URL: it names no address,
 * so that it reveals nothing about the operator's network. The cause is for the operator's log.
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

const CONNECT_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no way to it",
  EADDRNOTAVAIL: "there is no way to it",
  ETIMEDOUT: "it does not answer",
  ECONNRESET: "it closed the connection",
};

const TLS_REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate leads to an authority that is not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "its certificate leads to an authority that is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate leads to an authority that is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate came without those that lead to a trusted authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS on this port",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it does not speak TLS on this port",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "it speaks no version of TLS since 1.2",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "it speaks no version of TLS since 1.2",
};

export function explainConnectError(error: unknown, { host, port }: OutboundTarget): OutboundFailure {
  const reason = CONNECT_REASONS[codeOf(error)] ?? "the connection failed";
  return failure("connect_failed", `${host} cannot be reached on port ${port}: ${reason}.`, error);
}

export function explainTlsError(error: unknown, { host, port }: OutboundTarget): OutboundFailure {
  const code = codeOf(error);
  // A peer that only disconnects has presented no bad certificate, and may return later.
  if (code === "" || code === "ECONNRESET" || code === "EPIPE") {
    const message = `${host} cannot be reached on port ${port}: it closed the connection during the TLS handshake.`;
    return failure("connect_failed", message, error);
  }
  return failure("tls_failed", `${host} cannot be trusted: ${TLS_REASONS[code] ?? "the handshake failed"}.`, error);
}

/** What went wrong between the request and the end of its reply. */
export function explainReplyError(error: unknown, { host }: OutboundTarget): OutboundFailure {
  const code = codeOf(error);
  if (code === "HPE_HEADER_OVERFLOW")
    return failure("too_large", `The headers of ${host}'s reply are too large.`, error);
  if (code.startsWith("HPE_")) return failure("bad_reply", `What ${host} replied is not HTTP.`, error);
  return failure("connection_lost", `${host} closed the connection before its reply was complete.`, error);
}

function failure(code: OutboundFailure["code"], message: string, error: unknown): OutboundFailure {
  return error instanceof OutboundFailure ? error : new OutboundFailure(code, message, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
