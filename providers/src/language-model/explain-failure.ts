import { ProviderError } from "@parley/voice/ports/provider-error";

export interface FailedReply {
  /** The name of the model. */
  readonly name: string;
  /** Keys that must not appear in the message. */
  readonly secrets: readonly string[];
  /** What was said in the conversation, which must not appear in logs. */
  readonly spoken: readonly string[];
  readonly nowMs: number;
}

const DETAIL_LENGTH_MAX = 300;
/** Shorter sentences ("Yes.") occur in other texts by chance. */
const TELLING_LENGTH_MIN = 8;

/**
 * Translates whatever a vendor's package threw or reported. The errors of these packages carry the whole request, so
 * none of them is passed on: only this message leaves the adapter.
 */
export function explainFailure(failure: unknown, reply: FailedReply): ProviderError {
  if (failure instanceof ProviderError) return failure;
  const chain = causesOf(failure);
  const outbound = chain.find(isOutboundFailure);
  if (outbound) {
    return new ProviderError(reply.name, `${reply.name} failed: ${outbound.message}`, {
      retryable: outbound.retryable,
      cause: outbound,
    });
  }
  for (const cause of chain) {
    const status = statusOf(cause);
    if (status !== null && status >= 300) return explainStatus(status, cause, reply);
  }
  if (chain.some(isLostConnection)) {
    return new ProviderError(reply.name, `The connection to ${reply.name} was lost.`, { retryable: true });
  }
  const detail = isReport(failure) ? detailOf(failure, reply) : "";
  const message = detail ? `${reply.name} reports: ${detail}` : `${reply.name} gave a reply that cannot be understood.`;
  return new ProviderError(reply.name, message, { retryable: true });
}

function explainStatus(status: number, cause: object, reply: FailedReply): ProviderError {
  const headers = "responseHeaders" in cause && cause.responseHeaders instanceof Object ? cause.responseHeaders : {};
  // A message about a key may show more of it than its reader should see.
  const detail = status === 401 ? "the key is not accepted" : detailOf(cause, reply);
  return new ProviderError(reply.name, `${reply.name} answered ${status}${detail ? `: ${detail}` : ""}`, {
    retryable: status === 408 || status === 425 || status === 429 || status >= 500,
    retryAfterMs: readRetryAfterMs(headers as Record<string, unknown>, reply.nowMs),
  });
}

function detailOf(cause: object, { secrets, spoken }: FailedReply): string {
  const message = "message" in cause && typeof cause.message === "string" ? cause.message : "";
  if (spoken.some((text) => text.length >= TELLING_LENGTH_MIN && message.includes(text))) return "";
  return withoutSecrets(message.replaceAll(/\s+/g, " ").trim(), secrets).slice(0, DETAIL_LENGTH_MAX);
}

/** The chain of causes, outermost first. Each is an object. */
function causesOf(failure: unknown): object[] {
  const chain: object[] = [];
  for (let next = failure; next instanceof Object && !chain.includes(next); ) {
    chain.push(next);
    next = "cause" in next ? next.cause : null;
  }
  return chain;
}

/** Errors of the request gateway: they contain no key and nothing of the conversation. */
function isOutboundFailure(cause: object): cause is Error & { readonly retryable: boolean } {
  return cause instanceof Error && "retryable" in cause && typeof cause.retryable === "boolean";
}

/** OpenAI-compatible servers put the status of a failure into its code once the reply has started. */
function statusOf(cause: object): number | null {
  const status = "statusCode" in cause && cause.statusCode !== undefined ? cause.statusCode : undefined;
  const given = status ?? ("code" in cause ? cause.code : null);
  const number = typeof given === "string" && /^\d{3}$/.test(given) ? Number(given) : given;
  return typeof number === "number" && number >= 100 && number <= 599 ? number : null;
}

function isLostConnection(cause: object): boolean {
  if (!(cause instanceof Error)) return false;
  const isFetchFailure = cause instanceof TypeError && /terminated|fetch failed/.test(cause.message);
  return isFetchFailure || ("code" in cause && /^(E[A-Z]+|UND_ERR_\w+)$/.test(String(cause.code)));
}

/** What a vendor reports inside a reply that has started, as opposed to what a package says about garbage. */
function isReport(failure: unknown): failure is object {
  return failure instanceof Object && !(failure instanceof Error) && "message" in failure;
}

/** The delay in `Retry-After` (RFC 9110 section 10.2.3): seconds or a date. Null if there is none. */
export function readRetryAfterMs(headers: Readonly<Record<string, unknown>>, nowMs: number): number | null {
  const text = headers["retry-after"];
  if (typeof text !== "string" || text.trim() === "") return null;
  const seconds = Number(text);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.max(0, Math.round(waitMs));
}

/** Vendors show parts of a key in their messages; this few characters reveal nothing about the rest. */
const TELLTALE_LENGTH = 6;

/** Removes every word that shows a piece of a key from a vendor's message. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return text.replace(/[^\s"',]+/g, (word) =>
    secrets.some((secret) => showsPieceOf(secret, word)) ? "[removed]" : word,
  );
}

function showsPieceOf(secret: string, word: string): boolean {
  for (let start = 0; start + TELLTALE_LENGTH <= secret.length; start += 1) {
    if (word.includes(secret.slice(start, start + TELLTALE_LENGTH))) return true;
  }
  return false;
}
