import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { createSecureContext } from "node:tls";
import { type Clock, systemClock } from "@parley/time/clock";
import { beginRequest, type RequestTools } from "./begin-request.ts";
import type { Dial } from "./connect-first.ts";
import { explainReplyError, OutboundFailure } from "./outbound-failure.ts";
import { type OutboundLimits, REPLY_LIMITS, STREAM_LIMITS } from "./outbound-limits.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";
import { checkRequest, type OutboundMethod, type OutboundRequest } from "./outbound-request.ts";
import { PinnedAgent } from "./pinned-agent.ts";
import { type OutboundTarget, readTarget } from "./read-target.ts";
import { RequestScope } from "./request-scope.ts";
import { createDnsResolver, type ResolveName } from "./resolve-target.ts";

/** The only client for requests to URLs that customers write. It rejects with `OutboundFailure`. */
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

interface ReplyReading {
  readonly method: OutboundMethod;
  readonly target: OutboundTarget;
  readonly limits: OutboundLimits;
  readonly scope: RequestScope;
}

/**
 * Reads a reply piece by piece, within its limits of size and time. However the loop over it ends, the scope ends with it;
 * a reply that was not read to its end closes its connection.
 */
async function* readBody(
  reply: IncomingMessage,
  { method, target, limits, scope }: ReplyReading,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = reply[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    if (announcedBytes(reply, method) > limits.replyBytesMax) throw tooLarge(target, limits);
    for (;;) {
      const piece = await scope.within(limits.gapMs, `${target.host} stopped replying; nothing more came`, () =>
        pieces.next(),
      );
      if (piece.done) return;
      bytes += piece.value.byteLength;
      if (bytes > limits.replyBytesMax) throw tooLarge(target, limits);
      yield piece.value;
    }
  } catch (error) {
    throw explainReplyError(error, target);
  } finally {
    scope.end();
    if (!reply.complete) reply.destroy();
  }
}

/** A reply that says itself that it is too large need not be read first. */
function announcedBytes({ headers, statusCode }: IncomingMessage, method: OutboundMethod): number {
  // RFC 9110 section 8.6: replies to HEAD, and those with 304, announce what they do not bring.
  const bringsNone = method === "HEAD" || statusCode === 304;
  return bringsNone ? 0 : Number(headers["content-length"] ?? 0);
}

function tooLarge({ host }: OutboundTarget, { replyBytesMax }: OutboundLimits): OutboundFailure {
  return new OutboundFailure("too_large", `The reply of ${host} is larger than ${replyBytesMax / 1024} KiB.`);
}

const FIRST_BYTES = 4096;

/**
 * Joins the pieces of a body. They are copied immediately: a thousand tiny ones must not keep a thousand large buffers
 * alive.
 */
async function collectBody(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  let whole = new Uint8Array(FIRST_BYTES);
  let length = 0;
  for await (const piece of pieces) {
    if (length + piece.byteLength > whole.byteLength) {
      const larger = new Uint8Array(Math.max(whole.byteLength * 2, length + piece.byteLength));
      larger.set(whole.subarray(0, length));
      whole = larger;
    }
    whole.set(piece, length);
    length += piece.byteLength;
  }
  return whole.subarray(0, length);
}

/** The beginning of a reply. A redirect is a reply like any other and is not followed. */
interface OutboundHead {
  readonly status: number;
  readonly headers: Headers;
  /** The address that answered, for the operator's log. */
  readonly address: string;
}

export interface OutboundReply extends OutboundHead {
  /** As it came over the wire. */
  readonly body: Uint8Array;
  readonly tookMs: number;
}

interface OutboundStream extends OutboundHead {
  /** May be read once. Leaving the loop, an error and the end of the time all close the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection of a reply that is no longer needed. Idempotent. */
  close(): void;
}

function readHead(reply: IncomingMessage, address: string): OutboundHead {
  try {
    const headers = new Headers();
    for (let index = 0; index + 1 < reply.rawHeaders.length; index += 2) {
      headers.append(reply.rawHeaders[index] ?? "", reply.rawHeaders[index + 1] ?? "");
    }
    return { status: reply.statusCode ?? 0, headers, address };
  } catch (error) {
    reply.destroy();
    throw new OutboundFailure("bad_reply", "The reply has headers that HTTP does not know.", { cause: error });
  }
}

/** The body as text. Compression was not requested and is not decoded; invalid UTF-8 becomes U+FFFD. */
export function readText({ headers, body }: OutboundReply): string {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new OutboundFailure("bad_reply", "The reply is compressed, although it was asked not to be.");
  }
  return new TextDecoder().decode(body);
}
