import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { type Clock, systemClock } from "@parley/time/clock";
import { type WebSocket, WebSocketServer } from "ws";
import {
  type SessionWire,
  type StreamFault,
  StreamingSessions,
  type WireSession,
} from "../../speech/testing/streaming-sessions.ts";
import { type SpeakText, startAuraStream } from "./aura-wire.ts";
import { type FluxTurns, startFluxStream } from "./flux-wire.ts";
import { startNovaStream } from "./nova-wire.ts";

export interface DeepgramServerOptions {
  /** The only key that is accepted. */
  readonly key: string;
  /** `requestId` identifies the stream. */
  readonly recognize?: (samples: Int16Array, requestId: string) => string | Promise<string>;
  readonly speak?: SpeakText;
  /** Called with every message of a stream, when it is sent. */
  readonly onSend?: (message: object, requestId: string) => void;
  readonly clock?: Clock;
  /** Every message of the server comes this late. */
  readonly delayMs?: number;
  /** Nova: speech after which a part of the text is final although the speaker goes on. */
  readonly finalEveryMs?: number;
  /** Flux: when turns end. */
  readonly turns?: Partial<FluxTurns>;
}

interface SeenHandshake {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

export interface DeepgramServer {
  /** Where it listens, without a path. */
  readonly url: string;
  /** WebSocket handshakes and REST requests, in order, refused ones too. */
  readonly handshakes: readonly SeenHandshake[];
  /** The types of all messages of clients, without audio. */
  readonly messages: readonly string[];
  readonly audioBytes: number;
  readonly openConnections: number;
  refuseNext(refusal: { status: number; headers?: Record<string, string>; body?: string }): void;
  /** Leaves the next handshake without an answer. */
  ignoreNext(): void;
  breakAtNextRequest(fault: StreamFault): void;
  /** Sends something to all connected clients, whatever the protocol says. */
  inject(data: string | Uint8Array): void;
  /** Closes all connections in the way of the vendor. */
  closeAll(code: number, reason: string): void;
  /** Resolves when no connection is open. */
  idle(): Promise<void>;
  /** Resolves when a message of this type has arrived, now or earlier. */
  received(type: string): Promise<void>;
  close(): Promise<void>;
}

/** Without audio or `KeepAlive` for this long, a Nova stream is closed. */
const IDLE_LIMIT_MS = 10_000;

/**
 * A stand-in for Deepgram on the loopback interface: `/v1/listen`, `/v2/listen` and `/v1/speak` as WebSockets, and
 * `/v1/speak` as a REST endpoint.
 */
export async function startDeepgramServer(options: DeepgramServerOptions): Promise<DeepgramServer> {
  const { key, clock = systemClock, delayMs = 0, recognize = () => "", speak = () => new Int16Array(0) } = options;
  const handshakes: SeenHandshake[] = [];
  const sessions = new StreamingSessions({
    clock,
    delayMs,
    nameOf: ({ type }) => String(type),
    requests: new Set(["Finalize", "ForceEndTurn", "Flush"]),
  });
  const connections = new Set<Socket>();
  const refusals: ({ status: number; headers?: Record<string, string>; body?: string } | "silence")[] = [];
  let requests = 0;

  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, reply) => {
    answerRest(request, reply).catch(() => reply.destroy());
  });

  function refusalOf({
    path,
    query,
    headers,
  }: SeenHandshake): { status: number; headers?: object; body?: string } | null {
    const planned = refusals.shift();
    if (planned && planned !== "silence") return planned;
    if (headers.authorization !== `Token ${key}`) {
      return failure(401, "INVALID_AUTH", `Invalid credentials: ${headers.authorization ?? "none"}`);
    }
    const model = query.get("model") ?? "";
    if (path === "/v1/listen") {
      if (!/^nova-/.test(model)) return failure(400, "INVALID_QUERY_PARAMETER", `No such model: ${model}`);
      if (query.get("encoding") !== "linear16") return failure(400, "INVALID_QUERY_PARAMETER", "encoding");
    } else if (path === "/v2/listen") {
      if (!/^flux-general-(en|multi)$/.test(model)) {
        return failure(400, "INVALID_QUERY_PARAMETER", `No such model: ${model}`);
      }
      if (query.has("language_hint") && model !== "flux-general-multi") {
        return failure(400, "INVALID_QUERY_PARAMETER", "language_hint is not supported by this model");
      }
      if (query.get("encoding") !== "linear16") return failure(400, "INVALID_QUERY_PARAMETER", "encoding");
    } else if (path === "/v1/speak") {
      if (!/^aura-/.test(model)) return failure(400, "INVALID_QUERY_PARAMETER", `No such model: ${model}`);
    } else return failure(404, "NOT_FOUND", "no such address");
    return null;
  }

  function note(request: IncomingMessage): SeenHandshake {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    const seen = { path: pathname, query: searchParams, headers: request.headers };
    handshakes.push(seen);
    requests += 1;
    return seen;
  }

  async function answerRest(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const seen = note(request);
    const refusal = refusalOf(seen);
    const body = await text(request);
    if (refusal) return void reply.writeHead(refusal.status, { ...refusal.headers }).end(refusal.body ?? "");
    const model = seen.query.get("model") ?? "";
    const samples = await speak(JSON.parse(body).text, Number(seen.query.get("sample_rate") ?? 24_000), model);
    reply.writeHead(200, {
      "Content-Type": "audio/l16",
      "dg-model-name": model,
      "dg-request-id": requestIdOf(requests),
    });
    reply.end(new Uint8Array(samples.slice().buffer));
  }

  function openSession(seen: SeenHandshake, wire: SessionWire): WireSession {
    const { end } = wire;
    const requestId = requestIdOf(requests);
    const { query } = seen;
    const understand = (samples: Int16Array) => recognize(samples, requestId);
    function send(message: object | Uint8Array): void {
      options.onSend?.(message, requestId);
      wire.send(message);
    }
    const { finalEveryMs = 3_000 } = options;
    if (seen.path === "/v1/listen") {
      return startNovaStream({ requestId, query, understand, finalEveryMs, send, end });
    }
    if (seen.path === "/v2/listen") {
      return startFluxStream({ requestId, query, understand, turns: options.turns ?? {}, send, end });
    }
    return startAuraStream({ requestId, query, speak, now: () => clock.now(), send, end });
  }

  function serve(client: WebSocket, seen: SeenHandshake): void {
    sessions.serve(client, (wire) => openSession(seen, wire));
    if (seen.path === "/v1/listen") closeWhenIdle(client);
  }

  function closeWhenIdle(client: WebSocket): void {
    let lastMessageMs = clock.now();
    let cancelIdle: () => void = () => undefined;
    function watch(): void {
      const leftMs = lastMessageMs + IDLE_LIMIT_MS - clock.now();
      if (leftMs <= 0)
        client.close(1011, "NET-0001 did not receive audio data or a text message within the timeout window");
      else cancelIdle = clock.setTimer(leftMs, watch);
    }
    watch();
    client.on("message", () => {
      lastMessageMs = clock.now();
    });
    client.once("close", () => cancelIdle());
  }

  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      connections.delete(socket);
      if (connections.size === 0) server.emit("idle");
    });
  });
  server.on("upgrade", (request, socket, head) => {
    const seen = note(request);
    if (refusals[0] === "silence") {
      refusals.shift();
      return void socket.resume().once("end", () => socket.destroy());
    }
    const refusal = refusalOf(seen);
    if (!refusal) return sockets.handleUpgrade(request, socket, head, (client) => serve(client, seen));
    const { status, headers = {}, body = "" } = refusal;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(
      `HTTP/1.1 ${status} Refused\r\n${lines.join("")}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handshakes,
    messages: sessions.messages,
    get audioBytes() {
      return sessions.audioBytes;
    },
    get openConnections() {
      return connections.size;
    },
    refuseNext: (refusal) => void refusals.push(refusal),
    ignoreNext: () => void refusals.push("silence"),
    breakAtNextRequest: (fault) => sessions.breakAtNextRequest(fault),
    inject: (data) => sessions.inject(data),
    closeAll: (code, reason) => sessions.closeAll(code, reason),
    async idle() {
      while (connections.size > 0) await once(server, "idle");
    },
    received: (type) => sessions.received(type),
    async close() {
      for (const socket of connections) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function failure(status: number, code: string, message: string): { status: number; headers: object; body: string } {
  const body = JSON.stringify({ err_code: code, err_msg: message, request_id: requestIdOf(0) });
  return { status, headers: { "Content-Type": "application/json" }, body };
}

function requestIdOf(count: number): string {
  return `c0ffee00-0000-4000-8000-${String(count).padStart(12, "0")}`;
}
