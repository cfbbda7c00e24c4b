import { STATUS_CODES } from "node:http";
import type { Clock } from "@parley/time/clock";
import { z } from "zod";
import { UnreadableSecret } from "../../platform/config/sealed-text.ts";
import type { Secrets } from "../../platform/config/secret.ts";
import { OutboundFailure } from "../../platform/outbound-http/outbound-failure.ts";
import type { OutboundHttp } from "../../platform/outbound-http/outbound-http.ts";
import type { Tracing } from "../../platform/telemetry/tracing.ts";
import { headersPlace, openSecrets } from "../endpoint-secret.ts";
import type { ClaimedDelivery } from "./claim-store.ts";
import { readRetryAfter } from "./retry-schedule.ts";
import { signEvent } from "./sign-event.ts";

export interface SendDeps {
  readonly clock: Clock;
  readonly outbound: Pick<OutboundHttp, "stream">;
  readonly secrets: Pick<Secrets, "open">;
  readonly userAgent: string;
  /** Default: nothing is traced. */
  readonly tracing?: Tracing;
  /** The trace of a call, or null. */
  readonly findTraceContext?: (callId: string) => Promise<string | null>;
}

const TIMEOUT_MS = 15_000;
const ASKS_FOR_PATIENCE = new Set([429, 503]);
const GONE = 410;

/** Makes one attempt, as a part of the call's trace if that is kept. */
export async function sendDelivery(
  deps: SendDeps,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { tracing, findTraceContext } = deps;
  const { callId, eventType } = claimed;
  // No trace is worth a delivery.
  const parent = callId === null ? null : ((await findTraceContext?.(callId).catch(() => null)) ?? null);
  if (tracing === undefined || parent === null) return attemptDelivery(deps, claimed, signal, null);
  const span = tracing.start("webhook", {
    parent,
    kind: "client",
    attributes: {
      "parley.call.id": callId ?? "",
      "parley.event.type": eventType,
      "parley.webhook.endpoint.id": claimed.endpoint.id,
      "parley.webhook.attempt": claimed.tryCount + 1,
    },
  });
  try {
    const outcome = await attemptDelivery(deps, claimed, signal, span.traceparent);
    const { httpStatus, isSuccess } = outcome;
    const attributes = httpStatus === null ? {} : { "http.response.status_code": httpStatus };
    span.end({ attributes, failure: isSuccess ? null : httpStatus === null ? "no_reply" : `http_${httpStatus}` });
    return outcome;
  } catch (error) {
    span.end({ failure: "aborted" });
    throw error;
  }
}

/**
 * Makes one attempt. The status decides: once a 2xx has come the event has arrived, whatever becomes of the rest of the
 * reply. Rejects only when it was called off, which says nothing about the endpoint.
 */
async function attemptDelivery(
  deps: SendDeps,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
  traceparent: string | null,
): Promise<AttemptOutcome> {
  const { clock, outbound } = deps;
  const startedAtMs = clock.now();
  const failed = (reason: string): AttemptOutcome => ({
    startedAtMs,
    endedAtMs: clock.now(),
    isSuccess: false,
    httpStatus: null,
    reason,
    responseBody: null,
    retryAfterMs: null,
    isGone: false,
  });
  try {
    const reply = await outbound.stream(
      {
        method: "POST",
        url: claimed.url,
        headers: { ...headersOf(deps, claimed, startedAtMs), ...(traceparent === null ? {} : { traceparent }) },
        body: claimed.body,
        // Receivers tell a repeated event by its id, so a connection may be used again.
        repeatable: true,
        timeoutMs: TIMEOUT_MS,
      },
      signal,
    );
    const { status } = reply;
    const responseBody = await readBeginning(reply.body);
    const endedAtMs = clock.now();
    return {
      startedAtMs,
      endedAtMs,
      isSuccess: status >= 200 && status < 300,
      httpStatus: status,
      reason: explainStatus(status),
      responseBody,
      retryAfterMs: ASKS_FOR_PATIENCE.has(status) ? readRetryAfter(reply.headers.get("retry-after"), endedAtMs) : null,
      isGone: status === GONE,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundFailure && error.code !== "aborted") return failed(error.message);
    if (error instanceof UnreadableSecret) return failed(explainUnreadable(error));
    throw error;
  }
}

const OwnHeaders = z.record(z.string(), z.string());

function headersOf({ secrets, userAgent }: SendDeps, claimed: ClaimedDelivery, nowMs: number): Record<string, string> {
  const { endpoint, eventId, body } = claimed;
  const { secret, previousSecret } = openSecrets(secrets, endpoint, nowMs);
  const own = OwnHeaders.parse(JSON.parse(secrets.open(claimed.headersSealed, headersPlace(endpoint.id))));
  const signing = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    ...own,
    "content-type": "application/json",
    "user-agent": userAgent,
    ...signEvent(eventId, body, signing, nowMs),
  };
}

/** The error names the place that cannot be read. */
function explainUnreadable({ message }: UnreadableSecret): string {
  return message.includes("/headers")
    ? "The stored headers of the endpoint cannot be read. Enter them again."
    : "The stored secret of the endpoint cannot be read. Rotate it.";
}

function explainStatus(status: number): string {
  const words = STATUS_CODES[status] ? `${status} ${STATUS_CODES[status]}` : String(status);
  if (status >= 200 && status < 300) return `Accepted with ${words}.`;
  if (status >= 300 && status < 400) return `The endpoint answered ${words}; redirects are not followed.`;
  if (status === GONE) return `The endpoint answered ${words}: it wants no more events.`;
  return `The endpoint answered ${words}.`;
}

const RESPONSE_BYTES_MAX = 16 * 1024;

/** The beginning of a reply as text. Leaving the loop closes the connection of a reply that is longer, or never ends. */
async function readBeginning(pieces: AsyncIterable<Uint8Array>, bytesMax = RESPONSE_BYTES_MAX): Promise<string> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      const part = piece.subarray(0, bytesMax - bytes);
      kept.push(Uint8Array.from(part));
      bytes += part.byteLength;
      if (bytes >= bytesMax) break;
    }
  } catch (error) {
    // The status has come; a reply that breaks off, takes too long to end or is not waited for changes nothing about it.
    if (!(error instanceof OutboundFailure)) throw error;
  }
  // The database takes every character but this one.
  return new TextDecoder().decode(Buffer.concat(kept)).replaceAll("\0", "\ufffd");
}

/** The result of one request to an endpoint. */
export interface AttemptOutcome {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly isSuccess: boolean;
  /** Null when nothing came back that could be understood. */
  readonly httpStatus: number | null;
  /** What happened, as a readable text. */
  readonly reason: string;
  readonly responseBody: string | null;
  readonly retryAfterMs: number | null;
  /** The endpoint is gone permanently (RFC 9110 section 15.5.11). */
  readonly isGone: boolean;
}
