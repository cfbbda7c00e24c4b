import { OutboundFailure } from "./outbound-failure.ts";
import type { OutboundHttp } from "./outbound-http.ts";
import { OUTBOUND_METHODS, type OutboundMethod } from "./outbound-request.ts";

// RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5.
const WITHOUT_BODY = new Set([204, 205, 304]);

interface OutboundFetchOptions {
  /** Whether a far end does no harm when it gets the same request twice. Default: yes, as when a model is asked twice. */
  readonly repeatable?: boolean;
}

/**
 * Outbound HTTP as a `fetch` function, for libraries that need one. Redirects are returned, as with
 * `redirect: "manual"`.
 */
export function createOutboundFetch(
  outbound: Pick<OutboundHttp, "stream">,
  { repeatable = true }: OutboundFetchOptions = {},
): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init);
    const bytes = new Uint8Array(await asked.arrayBuffer());
    try {
      const reply = await outbound.stream(
        {
          method: methodOf(asked.method),
          url: asked.url,
          headers: Object.fromEntries(asked.headers),
          ...(asked.body ? { body: bytes } : {}),
          repeatable,
        },
        asked.signal,
      );
      if (WITHOUT_BODY.has(reply.status)) reply.close();
      const body = WITHOUT_BODY.has(reply.status) ? null : ReadableStream.from(reply.body);
      return new Response(body, { status: reply.status, headers: reply.headers });
    } catch (error) {
      // Callers of fetch tell their own abort from a fault by the reason they gave.
      asked.signal.throwIfAborted();
      throw error;
    }
  };
}

function methodOf(method: string): OutboundMethod {
  const known = OUTBOUND_METHODS.find((name) => name === method);
  if (!known) throw new OutboundFailure("bad_request", `The method ${method} cannot be used.`);
  return known;
}
