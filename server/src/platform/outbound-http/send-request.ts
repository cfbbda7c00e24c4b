import { type IncomingMessage, request as sendHttp } from "node:http";
import type { Socket } from "node:net";
import { explainReplyError } from "./explain-socket-error.ts";
import { OutboundFailure } from "./outbound-failure.ts";
import type { OutboundRequest } from "./outbound-request.ts";
import type { PinnedAgent, PinnedRequestArgs } from "./pinned-agent.ts";
import type { OutboundTarget } from "./read-target.ts";

export interface Sending {
  readonly agent: PinnedAgent;
  readonly target: OutboundTarget;
  readonly pinnedTo: string;
  /** The connection opened for this request, or null to use one that waits. */
  readonly socket: Socket | null;
  readonly request: OutboundRequest;
  readonly body: Uint8Array | null;
  readonly headerBytesMax: number;
  readonly signal: AbortSignal;
}

/** Says that a connection which had waited turned out to be closed, so that nothing of the request was answered. */
export class StaleConnection extends Error {
  override readonly name = "StaleConnection";
}

/** Sends a request and resolves with the beginning of its reply. The signal tears down both, also later. */
export function sendRequest(sending: Sending): Promise<IncomingMessage> {
  const { agent, target, pinnedTo, request, body, headerBytesMax, signal } = sending;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let socket = sending.socket;
  const args: PinnedRequestArgs = {
    agent,
    pinnedTo,
    takeSocket: () => {
      if (!socket) throw new StaleConnection("a waiting connection was closed");
      const taken = socket;
      socket = null;
      return taken;
    },
    method: request.method,
    path: target.path,
    headers: headersOf(request, target, body),
    maxHeaderSize: headerBytesMax,
    insecureHTTPParser: false,
  };
  const sent = sendHttp(args);
  // Somebody else's connection came free in the meantime and was taken instead; nothing else would close this one.
  socket?.destroy();
  const onAbort = () => sent.destroy(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  sent.once("close", () => signal.removeEventListener("abort", onAbort));
  let begun: IncomingMessage | null = null;
  sent.once("response", (reply) => {
    begun = reply;
    resolve(reply);
  });
  sent.once("upgrade", (_reply, upgraded) => {
    upgraded.destroy();
    reject(new OutboundFailure("bad_reply", `${target.host} wants to speak another protocol than HTTP.`));
  });
  // It stays after the reply has begun; then whoever reads the body is told what was wrong with it.
  sent.on("error", (error) => {
    if (begun) begun.destroy(error);
    else if (signal.aborted) reject(signal.reason);
    else if (sent.reusedSocket) reject(new StaleConnection("a waiting connection was closed", { cause: error }));
    else reject(explainReplyError(error, target));
  });
  sent.end(body ?? undefined);
  return promise;
}

function headersOf(request: OutboundRequest, target: OutboundTarget, body: Uint8Array | null): Record<string, string> {
  const given = new Set(Object.keys(request.headers ?? {}).map((name) => name.toLowerCase()));
  return {
    ...(given.has("user-agent") ? {} : { "User-Agent": "Parley" }),
    ...(given.has("accept") ? {} : { Accept: "*/*" }),
    ...request.headers,
    Host: target.authority,
    // Nothing is ever unpacked here, so that no small reply can become a large one.
    "Accept-Encoding": "identity",
    ...(body || request.method === "POST" || request.method === "PUT" || request.method === "PATCH"
      ? { "Content-Length": String(body?.byteLength ?? 0) }
      : {}),
  };
}
