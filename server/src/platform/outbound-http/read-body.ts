import type { IncomingMessage } from "node:http";
import { explainReplyError, OutboundFailure } from "./outbound-failure.ts";
import type { OutboundLimits } from "./outbound-limits.ts";
import type { OutboundMethod } from "./outbound-request.ts";
import type { OutboundTarget } from "./read-target.ts";
import type { RequestScope } from "./request-scope.ts";

export interface ReplyReading {
  readonly method: OutboundMethod;
  readonly target: OutboundTarget;
  readonly limits: OutboundLimits;
  readonly scope: RequestScope;
}

/**
 * Reads a reply piece by piece, within its limits of size and time. However the loop over it ends, the scope ends with it;
 * a reply that was not read to its end closes its connection.
 */
export async function* readBody(
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
export async function collectBody(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
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
export interface OutboundHead {
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

export interface OutboundStream extends OutboundHead {
  /** May be read once. Leaving the loop, an error and the end of the time all close the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection of a reply that is no longer needed. Idempotent. */
  close(): void;
}

export function readHead(reply: IncomingMessage, address: string): OutboundHead {
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
