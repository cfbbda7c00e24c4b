import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * How a vendor fails:
 *
 * - killed: all connections are lost, and new ones are refused.
 * - wrong_key: the vendor gets another key than its own, and refuses it in its way.
 * - quota: requests and handshakes are refused with status 429.
 * - malformed: replies cannot be understood.
 * - silent: no reply comes, on no connection.
 * - slow: everything from the vendor comes three seconds late.
 *
 * And of those who send a whole conversation over one connection:
 *
 * - cut: every new connection is lost in the middle of what the vendor sends.
 * - stalled: the same, but the connection stays open.
 * - out_of_order: every other message comes after the one that follows it.
 */
export const VENDOR_FAULTS = ["killed", "wrong_key", "quota", "malformed", "silent", "slow"] as const;
export const CONVERSATION_FAULTS = [...VENDOR_FAULTS, "cut", "stalled", "out_of_order"] as const;
export type VendorFault = (typeof CONVERSATION_FAULTS)[number];

/** Stands between the service and a vendor, knows HTTP and WebSockets, and fails on request. */
export interface FaultyProxy {
  /** The vendor's address, through the proxy. */
  readonly url: string;
  break(fault: VendorFault): void;
  repair(): void;
  close(): Promise<void>;
}

const SLOW_BY_MS = 3_000;
/** So much is sent before a connection is cut or stalls: the session and the first second of a reply. */
const SENT_BEFORE_BYTES = 48_000;
/** A message after which none follows is not held back for longer. */
const HELD_BACK_MS = 50;
const HEAD = /^(?:GET|POST) [^\r\n]+ HTTP\/1\.1\r\n/;
/** RFC 6455 section 5.2: a final text frame without a mask. */
const NONSENSE_FRAME = Buffer.from([0x81, 9, ...Buffer.from("{nonsense")]);
const NONSENSE_PAGE = reply("200 OK", "text/html", "<html><body>It works!</body></html>");
const REFUSALS = {
  wrong_key: reply("401 Unauthorized", "application/json", '{"error":{"message":"Incorrect API key provided."}}'),
  quota: reply("429 Too Many Requests", "application/json", '{"error":{"message":"You exceeded your quota."}}'),
} as const;

function reply(status: string, type: string, body: string): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
}

/** `key` is what the vendor accepts; null if it takes any. */
export async function openFaultyProxy(target: string, key: string | null): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const open = new Map<Socket, { isUpgraded: boolean }>();
  let fault: VendorFault | null = null;

  const server = createServer((near) => {
    near.on("error", () => near.destroy());
    if (fault === "killed") {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(port), hostname);
    const state = { isUpgraded: false };
    let isSpoiled = false;
    let sentBytes = 0;
    const swapper = swapFrames((frame) => void (near.writableEnded || near.write(frame)));
    /** What is on its way late. What follows it comes after it. */
    const delayed = { count: 0 };
    open.set(near, state);
    near.once("close", () => {
      open.delete(near);
      far.destroy();
    });
    far.once("close", () => setTimeout(() => near.destroySoon(), delayed.count > 0 ? SLOW_BY_MS : 0));
    far.on("error", () => near.destroy());
    near.on("data", (chunk: Buffer) => {
      const text = HEAD.test(chunk.toString("latin1", 0, 2_048)) ? chunk.toString("latin1") : null;
      if (text === null || near.writableEnded) return void (near.writableEnded || far.write(chunk));
      if (fault === "quota" || (fault === "wrong_key" && (key === null || !text.includes(key)))) {
        return void near.end(REFUSALS[fault]);
      }
      if (fault === "wrong_key" && key !== null) {
        return void far.write(Buffer.from(text.replaceAll(key, "x".repeat(key.length)), "latin1"));
      }
      far.write(chunk);
    });
    far.on("data", (chunk: Buffer) => {
      const isHead = /^HTTP\/1\.1 101 /.test(chunk.toString("latin1", 0, 32));
      if (isHead) state.isUpgraded = true;
      if (fault === "silent" || isSpoiled) return;
      if (fault === "slow" || delayed.count > 0) {
        delayed.count += 1;
        setTimeout(() => {
          delayed.count -= 1;
          if (!near.writableEnded) near.write(chunk);
        }, SLOW_BY_MS);
        return;
      }
      if (fault === "cut" || fault === "stalled") {
        sentBytes += chunk.length;
        if (sentBytes <= SENT_BEFORE_BYTES) near.write(chunk);
        else if (fault === "cut") near.resetAndDestroy();
        return;
      }
      if (fault === "out_of_order" && state.isUpgraded && !isHead) return swapper(chunk);
      if (fault !== "malformed") return void near.write(chunk);
      if (isHead) near.write(chunk);
      isSpoiled = true;
      if (state.isUpgraded) near.write(NONSENSE_FRAME);
      else near.end(NONSENSE_PAGE);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = new URL(target);
  url.port = String(address.port);
  const destroyAll = () => {
    for (const socket of open.keys()) socket.resetAndDestroy();
  };

  return {
    url: url.href.replace(/\/$/, ""),
    break(next) {
      fault = next;
      const inUse = [...open].filter(([, { isUpgraded }]) => isUpgraded);
      if (next === "malformed") for (const [socket] of inUse) socket.write(NONSENSE_FRAME);
      // A connection that stays open would not need its key again.
      if (next === "killed" || next === "wrong_key" || next === "quota") destroyAll();
    },
    repair() {
      fault = null;
      destroyAll();
    },
    async close() {
      destroyAll();
      server.close();
      await once(server, "close");
    },
  };
}

/** Exchanges each two WebSocket messages that follow each other. */
function swapFrames(write: (frame: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let held: Buffer | null = null;
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    clearTimeout(timer);
    if (held !== null) write(held);
    held = null;
  };
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let length = frameBytes(rest); length !== null && rest.length >= length; length = frameBytes(rest)) {
      const frame = rest.subarray(0, length);
      rest = rest.subarray(length);
      if (held === null) {
        held = frame;
        timer = setTimeout(release, HELD_BACK_MS);
      } else {
        write(frame);
        release();
      }
    }
  };
}

/** RFC 6455 section 5.2: the length of a frame of a server, which has no mask; null if its header is not complete. */
function frameBytes(bytes: Buffer): number | null {
  const short = (bytes[1] ?? 0) & 0x7f;
  if (bytes.length < 2) return null;
  if (short < 126) return 2 + short;
  if (short === 126) return bytes.length < 4 ? null : 4 + bytes.readUInt16BE(2);
  return bytes.length < 10 ? null : 10 + Number(bytes.readBigUInt64BE(2));
}
