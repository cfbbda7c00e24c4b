import type { IncomingMessage } from "node:http";
import type { ResolveName } from "./dns-resolver.ts";
import { type ConnectionTools, openConnection } from "./open-connection.ts";
import type { OutboundLimits } from "./outbound-limits.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";
import { isRepeatable, type OutboundRequest } from "./outbound-request.ts";
import type { PinnedAgent } from "./pinned-agent.ts";
import type { OutboundTarget } from "./read-target.ts";
import type { RequestScope } from "./request-scope.ts";
import { resolveTarget } from "./resolve-target.ts";
import { StaleConnection, sendRequest } from "./send-request.ts";

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
    // RFC 9112 section 9.3.1: what may be repeated is sent once more, over a connection of its own.
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
  // Each request asks for the name anew and judges every answer: what was harmless before may lead inside now.
  const addresses = await resolveTarget(target, tools.policy, tools.resolve, scope.signal);
  const waiting = mayReuse ? addresses.find((address) => tools.keeping.hasIdle(pinOf(target, address))) : undefined;
  if (waiting !== undefined) return { address: waiting, socket: null };
  return openConnection(target, addresses, scope, tools);
}

function pinOf({ isTls, host, port }: OutboundTarget, address: string): string {
  return `${isTls ? "https" : "http"}://${host}:${port} at ${address}`;
}
