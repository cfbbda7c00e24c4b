import { type IncomingMessage, request as sendHttp } from "node:http";
import type { Socket } from "node:net";
import { connect, type SecureContext, type TLSSocket } from "node:tls";
import type { Clock } from "@parley/time/clock";
import { type Connected, connectFirst, type Dial } from "./connect-first.ts";
import { explainConnectError, explainReplyError, explainTlsError, OutboundFailure } from "./outbound-failure.ts";
import type { OutboundLimits } from "./outbound-limits.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";
import { isRepeatable, type OutboundRequest } from "./outbound-request.ts";
import type { PinnedAgent, PinnedRequestArgs } from "./pinned-agent.ts";
import type { OutboundTarget } from "./read-target.ts";
import type { RequestScope } from "./request-scope.ts";
import { type ResolveName, resolveTarget } from "./resolve-target.ts";

export interface RequestTools extends ConnectionTools {
  readonly policy: OutboundPolicy;
  readonly resolve: ResolveName;
  /** Keeps connections for the next request. */
  readonly keeping: PinnedAgent;
  /** Closes each connection after its reply. */
  readonly closing: PinnedAgent;
}

export interface CheckedRequest {
  readonly request: OutboundRequest;
  readonly target: OutboundTarget;
  readonly body: Uint8Array | null;
  readonly limits: OutboundLimits;
  readonly scope: RequestScope;
}

export interface Begun {
  readonly reply: IncomingMessage;
  readonly address: string;
}

/** Finds the host, connects to it and sends the request, until the reply begins. */
export async function beginRequest(checked: CheckedRequest, tools: RequestTools): Promise<Begun> {
  const mayReuse = isRepeatable(checked.request);
  try {
    return await attempt(checked, tools, mayReuse);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    // RFC 9112 section 9.3.1: a repeatable request is sent once more, over a new connection.
    return await attempt(checked, tools, false);
  }
}

async function attempt(checked: CheckedRequest, tools: RequestTools, mayReuse: boolean): Promise<Begun> {
  const { request, target, body, limits, scope } = checked;
  const { address, socket } = await scope.within(limits.connectMs, `There was no connection to ${target.host}`, () =>
    findConnection(checked, tools, mayReuse),
  );
  const reply = await scope.within(limits.firstByteMs, `${target.host} did not begin to reply`, () =>
    sendRequest({
      agent: mayReuse ? tools.keeping : tools.closing,
      target,
      pinnedTo: pinOf(target, address),
      socket,
      request,
      body,
      headerBytesMax: limits.headerBytesMax,
      signal: scope.signal,
    }),
  );
  return { reply, address };
}

/** A null socket stands for one that already waits at the agent. */
async function findConnection({ target, scope }: CheckedRequest, tools: RequestTools, mayReuse: boolean) {
  // Each request resolves the name and checks every address again: a harmless name may resolve to an internal address now.
  const addresses = await resolveTarget(target, tools.policy, tools.resolve, scope.signal);
  const waiting = mayReuse ? addresses.find((address) => tools.keeping.hasIdle(pinOf(target, address))) : undefined;
  if (waiting !== undefined) return { address: waiting, socket: null };
  return openConnection(target, addresses, scope, tools);
}

function pinOf({ isTls, host, port }: OutboundTarget, address: string): string {
  return `${isTls ? "https" : "http"}://${host}:${port} at ${address}`;
}

interface ConnectionTools {
  readonly dial: Dial;
  readonly clock: Clock;
  readonly secureContext: SecureContext;
}

/** Connects to one of the judged addresses, with TLS where the URL asks for it. It is closed if the scope aborts. */
async function openConnection(
  target: OutboundTarget,
  addresses: readonly string[],
  scope: RequestScope,
  { dial, clock, secureContext }: ConnectionTools,
): Promise<Connected> {
  const { signal } = scope;
  const connected = await connectFirst(addresses, target.port, { dial, clock, signal }).catch((error: unknown) => {
    throw explainConnectError(error, target);
  });
  destroyOnAbort(connected.socket, scope);
  if (!target.isTls) return connected;
  try {
    const socket = await startTls(connected.socket, target, { secureContext, signal });
    destroyOnAbort(socket, scope);
    return { socket, address: connected.address };
  } catch (error) {
    connected.socket.destroy();
    throw explainTlsError(error, target);
  }
}

/** Between two owners a connection belongs to the request it was opened for. */
function destroyOnAbort(socket: Socket, scope: RequestScope): void {
  const destroy = () => socket.destroy();
  scope.signal.addEventListener("abort", destroy, { once: true });
  scope.onEnd(() => scope.signal.removeEventListener("abort", destroy));
  if (scope.signal.aborted) destroy();
}

/**
 * Speaks TLS over a connection that is already pinned to its address, and proves that the far end is the host of the URL,
 * not merely some host at that address. No setting turns the proof off.
 */
function startTls(
  socket: Socket,
  target: OutboundTarget,
  { secureContext, signal }: { readonly secureContext: SecureContext; readonly signal: AbortSignal },
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const secured = connect({
    socket,
    // Names go into the handshake, addresses must not (RFC 6066 section 3); either is what the certificate must show.
    host: target.host,
    servername: target.isAddress ? "" : target.host,
    ALPNProtocols: ["http/1.1"],
    secureContext,
    rejectUnauthorized: true,
  });
  const onAbort = () => secured.destroy();
  const onClose = () => reject(signal.aborted ? signal.reason : new Error("the connection ended during the handshake"));
  signal.addEventListener("abort", onAbort, { once: true });
  // Registered for the life of the socket: an error between two owners would otherwise be unhandled.
  secured.on("error", reject);
  secured.once("close", onClose);
  secured.once("secureConnect", () => resolve(secured));
  return promise.finally(() => {
    signal.removeEventListener("abort", onAbort);
    secured.off("close", onClose);
  });
}

interface Sending {
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
class StaleConnection extends Error {
  override readonly name = "StaleConnection";
}

/** Sends a request and resolves with the beginning of its reply. The signal tears down both, also later. */
function sendRequest(sending: Sending): Promise<IncomingMessage> {
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
  // Another connection became free in the meantime and was used instead; nothing else would close this one.
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
  // It stays after the reply has started; then the reader of the body gets the error.
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
