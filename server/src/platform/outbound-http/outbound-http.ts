import { connect } from "node:net";
import { createSecureContext } from "node:tls";
import { type Clock, systemClock } from "@parley/time/clock";
import { beginRequest, type RequestTools } from "./begin-request.ts";
import type { Dial } from "./connect-first.ts";
import { OutboundFailure } from "./outbound-failure.ts";
import { type OutboundLimits, REPLY_LIMITS, STREAM_LIMITS } from "./outbound-limits.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";
import { checkRequest, type OutboundRequest } from "./outbound-request.ts";
import { PinnedAgent } from "./pinned-agent.ts";
import { collectBody, type OutboundReply, type OutboundStream, readBody, readHead } from "./read-body.ts";
import { readTarget } from "./read-target.ts";
import { RequestScope } from "./request-scope.ts";
import { createDnsResolver, type ResolveName } from "./resolve-target.ts";

/** The one door through which requests go to URLs that customers write. It rejects with `OutboundFailure`. */
export interface OutboundHttp {
  readonly policy: OutboundPolicy;
  /** Reads the whole reply, within `REPLY_LIMITS`. */
  request(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply>;
  /** Streams the reply, within `STREAM_LIMITS`. */
  stream(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundStream>;
  /** Aborts pending requests and closes every connection. */
  close(): void;
}

export interface OutboundHttpOptions {
  readonly policy: OutboundPolicy;
  readonly clock?: Clock;
  readonly resolve?: ResolveName;
  readonly dial?: Dial;
  /** Certificates of the authorities to trust, instead of those that Node trusts. */
  readonly authorities?: readonly string[];
}

// Between two turns of a conversation a model is asked again over the same connection; most servers wait a minute.
const IDLE_MS = 30_000;
const IDLE_PER_TARGET_MAX = 8;

export function createOutboundHttp(options: OutboundHttpOptions): OutboundHttp {
  const tools = makeTools(options);
  const underWay = new Set<RequestScope>();
  let isClosed = false;

  function openScope(totalMs: number, signal: AbortSignal | undefined): RequestScope {
    const scope = new RequestScope({ clock: tools.clock, totalMs, signal });
    underWay.add(scope);
    scope.onEnd(() => underWay.delete(scope));
    if (isClosed) scope.fail(stopping());
    return scope;
  }

  async function begin(request: OutboundRequest, limits: OutboundLimits, signal: AbortSignal | undefined) {
    const target = readTarget(request.url, tools.policy);
    const body = checkRequest(request, limits.requestBytesMax);
    const scope = openScope(Math.min(request.timeoutMs ?? limits.totalMs, limits.totalMs), signal);
    try {
      const { reply, address } = await beginRequest({ request, target, body, limits, scope }, tools);
      const pieces = readBody(reply, { method: request.method, target, limits, scope });
      return { scope, head: readHead(reply, address), pieces };
    } catch (error) {
      scope.end();
      throw error;
    }
  }

  return {
    policy: tools.policy,
    async request(request, signal) {
      const startedMs = tools.clock.now();
      const { head, pieces } = await begin(request, REPLY_LIMITS, signal);
      const body = await collectBody(pieces);
      return { ...head, body, tookMs: tools.clock.now() - startedMs };
    },
    async stream(request, signal) {
      const { scope, head, pieces } = await begin(request, STREAM_LIMITS, signal);
      const close = () => scope.fail(new OutboundFailure("aborted", "The reply was not wanted any more."));
      return { ...head, body: closingWhenLeft(pieces, close), close };
    },
    close() {
      isClosed = true;
      for (const scope of underWay) scope.fail(stopping());
      tools.keeping.destroy();
      tools.closing.destroy();
    },
  };
}

function makeTools({ policy, clock = systemClock, resolve, dial, authorities }: OutboundHttpOptions): RequestTools {
  return {
    policy,
    clock,
    resolve: resolve ?? createDnsResolver({ clock }),
    dial: dial ?? dialDirectly,
    secureContext: createSecureContext({ minVersion: "TLSv1.2", ...(authorities ? { ca: [...authorities] } : {}) }),
    keeping: new PinnedAgent({ clock, idleMs: IDLE_MS, idlePerTargetMax: IDLE_PER_TARGET_MAX }),
    closing: new PinnedAgent({ clock, idleMs: 0, idlePerTargetMax: 1 }),
  };
}

/** A generator that never started runs no cleanup of its own, but its connection is open. */
function closingWhenLeft(pieces: AsyncGenerator<Uint8Array, void, undefined>, close: () => void) {
  const iterator: AsyncIterator<Uint8Array, void, undefined> = {
    next: () => pieces.next(),
    return: () => {
      close();
      return pieces.return();
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

const dialDirectly: Dial = (host, port) => connect({ host, port, autoSelectFamily: false, noDelay: true });

function stopping(): OutboundFailure {
  return new OutboundFailure("aborted", "The service is stopping.");
}
