import { createHash } from "node:crypto";
import { AppError } from "@parley/contract/errors";

/** RFC 6455 section 1.3: what a server proves with that it speaks the protocol. */
const PROOF = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const VERSION = "13";

type ReadHeader = (name: string) => string | undefined;

/** Whether a request asks to become a WebSocket. */
export function asksForWebSocket(header: ReadHeader): boolean {
  return header("upgrade")?.toLowerCase() === "websocket";
}

/** Throws 400 where the rest of the handshake is not as RFC 6455 section 4.2.1 wants it. */
export function refuseBadHandshake(header: ReadHeader): void {
  if (header("sec-websocket-version") !== VERSION)
    throw new AppError("bad_request", `Only version ${VERSION} of the WebSocket protocol is spoken here.`, {
      headers: { "sec-websocket-version": VERSION },
    });
  const key = header("sec-websocket-key") ?? "";
  if (!/^[A-Za-z0-9+/]{22}==$/.test(key))
    throw new AppError("bad_request", "Sec-WebSocket-Key must be 16 bytes in base64.");
}

/** The lines that accept a handshake. */
export function acceptance(key: string): Readonly<Record<string, string>> {
  const accept = createHash("sha1").update(`${key}${PROOF}`).digest("base64");
  return { upgrade: "websocket", connection: "Upgrade", "sec-websocket-accept": accept };
}
