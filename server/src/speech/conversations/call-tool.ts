import { ProviderError, reasonOf } from "@parley/voice/ports/provider-error";
import type { ToolCaller, ToolRequest } from "@parley/voice/ports/tool-caller";
import { OutboundFailure } from "../../platform/outbound-http/outbound-failure.ts";
import type { OutboundHttp } from "../../platform/outbound-http/outbound-http.ts";
import { signEvent } from "../../webhooks/sending/sign-event.ts";
import type { NoteIncident } from "./held-conversation.ts";

export interface ToolCallerSetup {
  readonly outbound: Pick<OutboundHttp, "request">;
  readonly callId: string;
  /** Each signs every request. */
  readonly secrets: readonly string[];
  readonly nowMs: () => number;
  /** Called for requests that failed on our side. Omitted without a call. */
  readonly noteIncident?: NoteIncident;
}

/**
 * Sends the requests of a call's flow through the restricted client for customers' URLs. They are signed in the form of
 * Standard Webhooks, so that a receiver can authenticate them.
 */
export function createToolCaller({ outbound, callId, secrets, nowMs, noteIncident }: ToolCallerSetup): ToolCaller {
  return {
    async call({ id, method, url, headers, body, timeoutMs, signal }: ToolRequest) {
      const sent = body === null || method === "GET" ? null : body;
      const requestId = `${callId}.${id}`;
      const signature = secrets.length === 0 ? {} : signEvent(requestId, sent ?? "", secrets, nowMs());
      try {
        const reply = await outbound.request(
          {
            method,
            url,
            // A far end that honours it acts once, however often it is asked.
            headers: { "idempotency-key": requestId, ...headers, ...signature },
            timeoutMs,
            ...(sent === null ? {} : { body: sent }),
          },
          signal,
        );
        return { status: reply.status, body: readBody(reply.body) };
      } catch (error) {
        signal.throwIfAborted();
        const retryable = error instanceof OutboundFailure && error.retryable;
        const message = reasonOf(error);
        if (!(error instanceof OutboundFailure)) noteIncident?.("tool_failed", message);
        throw new ProviderError("tool", message, { retryable, cause: error });
      }
    },
  };
}

function readBody(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
