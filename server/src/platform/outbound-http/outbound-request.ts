import { validateHeaderName, validateHeaderValue } from "node:http";
import { OutboundFailure } from "./outbound-failure.ts";

export const OUTBOUND_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
export type OutboundMethod = (typeof OUTBOUND_METHODS)[number];

export interface OutboundRequest {
  readonly method: OutboundMethod;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as UTF-8. */
  readonly body?: string | Uint8Array;
  /**
   * Whether the far end does no harm when the same request comes twice. Left out, the method decides (RFC 9110 section
   * 9.2.2). Only such a request travels on a connection that was used before, because the far end may just be closing it.
   */
  readonly repeatable?: boolean;
  /** Less time than there is at most. */
  readonly timeoutMs?: number;
}

const REQUEST_HEADERS_MAX = 64;
const REQUEST_HEADER_BYTES_MAX = 16 * 1024;

// Fields that decide where a message ends, whom it is for and how it travels (RFC 9110 section 7.6.1, RFC 9112 section 6)
// are written only here: two readers of one message must never disagree about them.
const RESERVED = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Says in one sentence why a header can never be sent, or null. */
export function explainBadHeader(name: string, value: string): string | null {
  const lower = name.toLowerCase();
  if (RESERVED.has(lower) || lower.startsWith("proxy-"))
    return `The header ${name} cannot be set; it is written for you.`;
  try {
    validateHeaderName(name);
  } catch {
    return "The name of a header must be letters, digits and hyphens.";
  }
  try {
    validateHeaderValue(name, value);
  } catch {
    return `The value of the header ${name} has characters that no header may have.`;
  }
  return null;
}

/** Throws `bad_request` or `too_large` for what must not be sent; gives the body as bytes. */
export function checkRequest(request: OutboundRequest, bodyBytesMax: number): Uint8Array | null {
  const headers = Object.entries(request.headers ?? {});
  for (const [name, value] of headers) {
    const mistake = explainBadHeader(name, value);
    if (mistake) throw new OutboundFailure("bad_request", mistake);
  }
  const headerBytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  if (headers.length > REQUEST_HEADERS_MAX || headerBytes > REQUEST_HEADER_BYTES_MAX) {
    throw new OutboundFailure(
      "too_large",
      `A request has at most ${REQUEST_HEADERS_MAX} headers of ${REQUEST_HEADER_BYTES_MAX / 1024} KiB together.`,
    );
  }
  if (request.body === undefined) return null;
  if (request.method === "GET" || request.method === "HEAD") {
    throw new OutboundFailure("bad_request", `A ${request.method} request has no body.`);
  }
  const body = typeof request.body === "string" ? Buffer.from(request.body, "utf8") : request.body;
  if (body.byteLength > bodyBytesMax) {
    throw new OutboundFailure("too_large", `The request is larger than ${bodyBytesMax / 1024} KiB.`);
  }
  return body;
}

export function isRepeatable({ method, repeatable }: OutboundRequest): boolean {
  return repeatable ?? (method !== "POST" && method !== "PATCH");
}
