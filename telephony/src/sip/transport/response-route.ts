import type { Essentials, HeaderLine, ReceivedRequest } from "../message/message.ts";
import { param, withParam } from "../message/params.ts";
import { splitOutside } from "../message/quoted-text.ts";
import { bracketed, unbracketed } from "../message/uri.ts";
import { type Via, writeVia } from "../message/via.ts";
import type { Hop } from "./sip-transport.ts";

/**
 * RFC 3261 section 18.2.1 and RFC 3581 section 4: the topmost Via is completed with where the request really came from,
 * so that the response finds its way back through address translation.
 */
export function stampVia(request: ReceivedRequest, source: Hop): ReceivedRequest {
  const via = stampedVia(request.essentials.via, source);
  const essentials: Essentials = { ...request.essentials, via };
  const at = request.headers.findIndex(([name]) => name === "Via");
  const headers = request.headers.map((line, index): HeaderLine => {
    if (index !== at) return line;
    const [, ...others] = splitOutside(line[1], ",");
    return ["Via", [writeVia(via), ...others].join(", ")];
  });
  return { ...request, headers, essentials };
}

/** The topmost Via alone. */
export function stampedVia(via: Via, source: Hop): Via {
  const asksForPort = param(via.params, "rport") !== null;
  const isElsewhere = unbracketed(via.host) !== source.address;
  let params = via.params;
  if (asksForPort) params = withParam(params, "rport", String(source.port));
  if (asksForPort || isElsewhere) params = withParam(params, "received", bracketed(source.address));
  return { ...via, params };
}

/**
 * Where the response goes: by the same connection on a stream, else back to the address the request came from, at the
 * port it came from or, where the sender did not ask for that, at the one its Via names.
 */
export function responseHop({ via }: Pick<Essentials, "via">, source: Hop): Hop {
  if (source.transport !== "udp" || param(via.params, "rport") !== null) return source;
  return { ...source, port: via.port ?? 5060 };
}
