import type { IncomingMessage } from "node:http";
import { OutboundFailure } from "./outbound-failure.ts";

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
  /** Closes the connection of a reply that nobody wants to read any more. Harmless when repeated. */
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

/** The body as text. What is packed was not asked for and is not unpacked; bytes that are no UTF-8 become U+FFFD. */
export function readText({ headers, body }: OutboundReply): string {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new OutboundFailure("bad_reply", "The reply is compressed, although it was asked not to be.");
  }
  return new TextDecoder().decode(body);
}
