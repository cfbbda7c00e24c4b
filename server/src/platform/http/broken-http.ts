import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import { toErrorReply } from "./error-reply.ts";

/** The headers of a reply that no hook sees: rate limit and security, for one address. */
export type PlainHeaders = (ip: string) => Promise<Readonly<Record<string, string>>>;

/**
 * What Node answers or drops by itself before a request exists for us: bytes that are not HTTP, CONNECT, and an
 * `Expect` nobody knows. All of it gets the envelope too.
 */
export function answerBrokenHttp(server: Server, headersFor: PlainHeaders): void {
  server.on("connect", (_request, socket: Socket) => {
    const refusal = new AppError("method_not_allowed", "This is no proxy: CONNECT is not offered.", {
      headers: { allow: "GET, POST, PATCH, DELETE" },
    });
    void refuseOnSocket(socket, refusal, headersFor);
  });
  // RFC 9110 section 10.1.1 lets a server ignore an expectation it does not know.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

/** Refuses what could not be parsed, or did not arrive in time. */
export function refuseBrokenHttp(error: Error & { code?: string }, socket: Socket, headersFor: PlainHeaders): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? new AppError("request_timeout", "The request did not arrive in time.")
      : new AppError("bad_request", "This is not a request we can read as HTTP.");
  void refuseOnSocket(socket, refusal, headersFor);
}

async function refuseOnSocket(socket: Socket, error: AppError, headersFor: PlainHeaders): Promise<void> {
  // Whoever sends such things may be gone before the answer; there is nobody left to tell.
  socket.on("error", () => socket.destroy());
  const requestId = makeId("request");
  const { status, headers, body } = toErrorReply(error, requestId);
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...(await headersFor(socket.remoteAddress ?? "")),
    ...headers,
    "x-request-id": requestId,
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${text}`);
}
