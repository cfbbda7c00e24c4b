import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "@parley/contract/errors";
import { type Clock, systemClock } from "@parley/time/clock";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type RawData, type WebSocket, WebSocketServer } from "ws";

// WebSockets of the API. The protocol itself is the `ws` package; here is how a request becomes one, and when one ends.

type ReadHeader = (name: string) => string | undefined;

const VERSION = "13";
const PING_MS = 15_000;
/** How long a peer gets to answer our close frame. */
const CLOSE_WITHIN_MS = 2_000;
/** A client that does not read is cut off rather than buffered for without bound: half a minute of audio. */
const BUFFERED_BYTES_MAX = 1024 * 1024;
/** Where messages of the client are ignored, they need not be long. */
const IGNORED_MESSAGE_BYTES_MAX = 64 * 1024;

/** Statuses of RFC 6455 section 7.4.1, and 1013 of IANA's registry. */
export const CLOSE = { normal: 1000, goingAway: 1001, notAllowed: 1008, broken: 1011, tooSlow: 1013 } as const;

export interface WebSocketMessages {
  readonly messageBytesMax: number;
  onText(text: string): void;
  onBytes(bytes: Buffer): void;
}

/** The server's end of a WebSocket. */
export interface ServerWebSocket {
  readonly isOpen: boolean;
  sendText(text: string): void;
  sendBytes(bytes: Buffer): void;
  /** Sends a close frame, and ends the connection when it is answered or the time for that is over. */
  close(status: number, reason: string): void;
}

/** Other upgrades (h2c of some clients) are ignored, which RFC 9110 section 7.8 allows, and answered as plain requests. */
export function mayUpgrade({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

/** Whether a request asks to become a WebSocket. */
export function asksForWebSocket(header: ReadHeader): boolean {
  return header("upgrade")?.toLowerCase() === "websocket";
}

/** Throws 400, in the API's own envelope, where the rest of the handshake violates RFC 6455 section 4.2.1. */
export function refuseBadHandshake(header: ReadHeader): void {
  if (header("sec-websocket-version") !== VERSION)
    throw new AppError("bad_request", `Only version ${VERSION} of the WebSocket protocol is supported.`, {
      headers: { "sec-websocket-version": VERSION },
    });
  const key = header("sec-websocket-key") ?? "";
  if (!/^[A-Za-z0-9+/]{22}==$/.test(key))
    throw new AppError("bad_request", "Sec-WebSocket-Key must be 16 bytes in base64.");
}

const sockets = new WeakMap<IncomingMessage, Duplex>();

/**
 * Treats WebSocket requests like all others: they are authenticated, limited and validated by the same
 * code, and refused in the same envelope. A handler that accepts one takes its connection by `acceptWebSocket`.
 */
export function routeUpgrades(app: FastifyInstance): void {
  (app.server as Server).on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    if (head.length > 0) socket.unshift(head);
    sockets.set(request, socket);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Parameters<typeof response.assignSocket>[0]);
    response.once("finish", () => socket.end());
    app.routing(request, response);
  });
}

/** Takes the connection of a request that asked to become a WebSocket, as it is: nothing was replied yet. */
export function takeSocket(reply: FastifyReply): Duplex {
  const socket = sockets.get(reply.request.raw);
  if (!socket) throw new AppError("bad_request", "This connection cannot become a WebSocket.");
  reply.hijack();
  reply.raw.detachSocket(socket as Parameters<typeof reply.raw.detachSocket>[0]);
  return socket;
}

/** Takes over the connection of a request that asked to become a WebSocket. `onClose` is called once, however it ends. */
export function acceptWebSocket(
  reply: FastifyReply,
  onClose: () => void,
  clock: Clock = systemClock,
  messages?: WebSocketMessages,
): ServerWebSocket {
  const { raw: request } = reply.request;
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => `${name}: ${String(value)}`);
  const socket = takeSocket(reply);
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: messages?.messageBytesMax ?? IGNORED_MESSAGE_BYTES_MAX,
  });
  server.on("headers", (lines) => lines.push(...headers));
  let accepted: WebSocket | null = null;
  server.handleUpgrade(request, socket, Buffer.alloc(0), (webSocket) => {
    accepted = webSocket;
  });
  if (!accepted) {
    // The connection broke while the request was being handled.
    socket.destroy();
    onClose();
    return { isOpen: false, sendText: () => undefined, sendBytes: () => undefined, close: () => undefined };
  }
  return manage(accepted, clock, onClose, messages);
}

/** Pings the peer, limits what is buffered for it, and gives closing a time limit. */
function manage(
  webSocket: WebSocket,
  clock: Clock,
  onClose: () => void,
  messages: WebSocketMessages | undefined,
): ServerWebSocket {
  let isAlive = true;
  let cancelTimer: () => void = () => undefined;
  const pingLater = () => {
    cancelTimer = clock.setTimer(PING_MS, () => {
      if (!isAlive) return webSocket.terminate();
      isAlive = false;
      webSocket.ping();
      pingLater();
    });
  };
  const closeSoon = () => {
    cancelTimer();
    cancelTimer = clock.setTimer(CLOSE_WITHIN_MS, () => webSocket.terminate());
  };
  const send = (data: string | Buffer) => {
    if (webSocket.readyState !== webSocket.OPEN) return;
    if (webSocket.bufferedAmount > BUFFERED_BYTES_MAX) webSocket.terminate();
    else webSocket.send(data);
  };
  webSocket.on("pong", () => {
    isAlive = true;
  });
  webSocket.on("message", (data: RawData, isBinary: boolean) => {
    isAlive = true;
    if (webSocket.readyState !== webSocket.OPEN) return;
    // Messages arrive whole as one Buffer, which is the default `binaryType` of the package.
    const bytes = data as Buffer;
    if (isBinary) messages?.onBytes(bytes);
    else messages?.onText(bytes.toString());
  });
  // A broken connection or protocol is a normal end, not an error; the library answers it with the right status.
  webSocket.on("error", closeSoon);
  webSocket.on("close", () => {
    cancelTimer();
    onClose();
  });
  pingLater();
  return {
    get isOpen() {
      return webSocket.readyState === webSocket.OPEN;
    },
    sendText: send,
    sendBytes: send,
    close(status, reason) {
      if (webSocket.readyState !== webSocket.OPEN) return;
      // RFC 6455 section 5.5: a control frame has at most 125 bytes, two of which are the status.
      webSocket.close(status, Buffer.from(reason).subarray(0, 123));
      closeSoon();
    },
  };
}
