import { LINE_MAX_BYTES, MESSAGE_MAX_BYTES } from "./parse-message.ts";

export interface StreamFramer {
  /** Accepts bytes in pieces of any size. */
  readonly push: (chunk: Buffer) => void;
}

export interface StreamFramerEvents {
  readonly onMessage: (bytes: Buffer) => void;
  /** RFC 5626 section 3.5.1: the peer sent CRLF CRLF between messages and waits for one CRLF. */
  readonly onPing: () => void;
  /** The stream cannot be followed any more: nothing is read from it afterwards. */
  readonly onBroken: (reason: string) => void;
}

const END_OF_HEADERS = Buffer.from("\r\n\r\n");
const CONTENT_LENGTH = /(?:^|\r\n)(?:content-length|l)[ \t]*:(?:[ \t]|\r\n[ \t])*([^\r\n]*)/gi;

/** RFC 3261 section 18.3: on a stream a message ends where its Content-Length says. Never keeps more than 64 KiB. */
export function createStreamFramer(events: StreamFramerEvents): StreamFramer {
  let kept: Buffer = Buffer.alloc(0);
  let searchedBytes = 0;
  let isBroken = false;

  function fail(reason: string): false {
    isBroken = true;
    kept = Buffer.alloc(0);
    events.onBroken(reason);
    return false;
  }

  /** Takes one message off the front; false when more bytes are needed. */
  function takeOne(): boolean {
    skipKeepAlives();
    const end = kept.indexOf(END_OF_HEADERS, Math.max(0, searchedBytes - END_OF_HEADERS.length));
    if (end < 0) {
      searchedBytes = kept.length;
      if (kept.length > MESSAGE_MAX_BYTES) return fail("the header section is larger than 64 KiB");
      if (kept.length > LINE_MAX_BYTES && kept.indexOf("\r\n") < 0) return fail("a line is longer than 8 KiB");
      return false;
    }
    const bodyStart = end + END_OF_HEADERS.length;
    const bodyLength = readContentLength(kept.toString("latin1", 0, end + 2));
    if (bodyLength === null) return fail("there is not one Content-Length");
    const length = bodyStart + bodyLength;
    if (length > MESSAGE_MAX_BYTES) return fail("the message is larger than 64 KiB");
    if (kept.length < length) return false;
    const message = Buffer.from(kept.subarray(0, length));
    drop(length);
    events.onMessage(message);
    return !isBroken && kept.length > 0;
  }

  function skipKeepAlives(): void {
    while (kept.length >= END_OF_HEADERS.length && kept[0] === 0x0d && kept[1] === 0x0a) {
      const isPing = kept[2] === 0x0d && kept[3] === 0x0a;
      drop(isPing ? 4 : 2);
      if (isPing) events.onPing();
    }
  }

  function drop(length: number): void {
    kept = kept.subarray(length);
    searchedBytes = 0;
  }

  return {
    push(chunk) {
      if (isBroken) return;
      kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
      while (takeOne());
    },
  };
}

/** Null when it is missing, is not a number, or is said twice with different values. */
function readContentLength(headers: string): number | null {
  const values = new Set([...headers.matchAll(CONTENT_LENGTH)].map((match) => (match[1] ?? "").trim()));
  const [value] = values;
  return values.size === 1 && value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : null;
}
