import { ProviderError } from "@parley/voice/ports/provider-error";
import { readRetryAfterMs, withoutSecrets } from "../language-model/explain-failure.ts";

/** A vendor as its errors name it. */
export interface VendorIdentity {
  /** The name of the adapter, in `ProviderError.provider`. */
  readonly provider: string;
  /** The vendor's name as an operator knows it. */
  readonly title: string;
  /** Keys and tokens: no piece of them appears in an error. */
  readonly secrets: readonly string[];
}

export interface RefusedRequest {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** What the vendor wrote: JSON with a message somewhere in it, or plain text. Pages are not shown. */
  readonly body: string;
  readonly nowMs: number;
}

const DETAIL_LENGTH_MAX = 300;

/** Translates a status with which a vendor refused an HTTP request or a WebSocket handshake. */
export function explainVendorStatus(vendor: VendorIdentity, refused: RefusedRequest): ProviderError {
  const { status } = refused;
  // What is said about a refused key may show more of it than its reader should see.
  const detail = status === 401 ? "" : readableDetail(messageIn(refused.body), vendor.secrets);
  return new ProviderError(vendor.provider, `${wordsFor(status, vendor.title)}${detail === "" ? "." : `: ${detail}`}`, {
    retryable: status === 408 || status === 425 || status === 429 || status >= 500,
    retryAfterMs: readRetryAfterMs(refused.headers, refused.nowMs),
  });
}

function wordsFor(status: number, title: string): string {
  if (status === 401) return `${title} refused the API key (status 401)`;
  if (status === 402) return `${title} wants to be paid first (status 402)`;
  if (status === 403) return `${title} does not allow this API key to do that (status 403)`;
  if (status === 404) return `${title} does not know this address, model or voice (status 404)`;
  if (status === 429) return `${title} takes no more requests at the moment (status 429)`;
  if (status >= 300 && status < 400)
    return `${title} answered with a redirect, which is not followed (status ${status})`;
  if (status >= 500) return `${title} has a failure of its own (status ${status})`;
  return `${title} refused the request (status ${status})`;
}

/** One line of a vendor's text, without keys. */
export function readableDetail(text: string, secrets: readonly string[]): string {
  return withoutSecrets(text.replaceAll(/\s+/g, " ").trim(), secrets).slice(0, DETAIL_LENGTH_MAX);
}

/** Where vendors put the text of a failure, most telling first. */
const MESSAGE_FIELDS = ["err_msg", "message", "detail", "description", "error_message", "error", "reason"] as const;

function messageIn(body: string): string {
  if (/^\s*</.test(body)) return "";
  try {
    return textIn(JSON.parse(body), 0);
  } catch {
    return body;
  }
}

function textIn(value: unknown, depth: number): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > 3) return "";
  if (Array.isArray(value)) return textIn(value[0], depth + 1);
  for (const field of MESSAGE_FIELDS) {
    const text = textIn(Reflect.get(value, field), depth + 1);
    if (text !== "") return text;
  }
  return "";
}
