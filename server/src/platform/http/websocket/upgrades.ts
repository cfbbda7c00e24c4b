import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "@parley/contract/errors";
import { type Clock, systemClock } from "@parley/telephony/clock";
import type { FastifyInstance, FastifyReply } from "fastify";
import { acceptance } from "./handshake.ts";
import { type HeardMessages, ServerWebSocket } from "./web-socket.ts";

const sockets = new WeakMap<IncomingMessage, Duplex>();

/** Other upgrades (h2c of some clients) are ignored, which RFC 9110 section 7.8 allows, and answered as plain requests. */
export function mayUpgrade({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Lets requests for WebSockets go the way of all requests: they are authenticated, limited and validated by the same
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

/** Takes over the connection of a request that asked to become a WebSocket, and agrees to it. */
export function acceptWebSocket(
  reply: FastifyReply,
  onClose: () => void,
  clock: Clock = systemClock,
  hears?: HeardMessages,
): ServerWebSocket {
  const { raw: request } = reply.request;
  const socket = sockets.get(request);
  if (!socket) throw new AppError("bad_request", "This connection cannot become a WebSocket.");
  const headers = { ...reply.getHeaders(), ...acceptance(request.headers["sec-websocket-key"] ?? "") };
  reply.hijack();
  reply.raw.detachSocket(socket as Parameters<typeof reply.raw.detachSocket>[0]);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`);
  return new ServerWebSocket({ socket, clock, onClose, ...(hears && { hears }) });
}
