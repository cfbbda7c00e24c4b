import type { IncomingMessage } from "node:http";
import { explainReplyError } from "./explain-socket-error.ts";
import { OutboundFailure } from "./outbound-failure.ts";
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
