import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@parley/time/clock";
import { isInternalToken, type Vouch } from "./internal-token.ts";
import { LineEar, type LineRings } from "./line-ear.ts";

export interface LiveServerParts {
  readonly workerId: string;
  readonly vouch: Vouch;
  readonly clock: Clock;
  /** The sound of a call that this process conducts; null for any other, and while nothing was dialed. */
  lineOf(callId: string): LineRings | null;
  /** Talks on a connection for another process, by the path and the protocol that it asked for. */
  readonly talks?: readonly LiveTalk[];
}

export interface LiveTalk {
  readonly path: string;
  readonly protocol: string;
  /** Whether there is no room for another one now. */
  isFull(): boolean;
  begin(socket: Duplex): void;
}

export interface LiveServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The path under which a worker lets others listen to a call. */
export const soundPath = (callId: string): string => `/live/calls/${callId}/sound`;

const SOUND_PATH = /^\/live\/calls\/([A-Za-z0-9_]{1,60})\/sound$/;
/** Twice in the time that people take for "at once". */
const TICK_MS = 100;
/** A process that does not read is cut off: some eight seconds of sound. */
const BUFFERED_BYTES_MAX = 256 * 1024;

/**
 * What a worker tells the other processes of its installation while calls are live. It is not for people: each request
 * carries a short-lived proof that it comes from a process that knows the installation's secret.
 */
export async function openLiveServer(parts: LiveServerParts, host: string, port: number): Promise<LiveServer> {
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => answer(parts, request, response));
  server.on("clientError", (_, socket) => socket.destroy());
  const talking = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    talking.add(socket);
    socket.once("close", () => talking.delete(socket));
    if (head.length > 0) socket.unshift(head);
    upgrade(parts, request, socket);
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server for other processes has no address");
  return {
    port: address.port,
    async close() {
      server.close();
      server.closeAllConnections();
      // Connections that were upgraded are no longer the server's to close.
      for (const socket of talking) socket.destroy();
      await once(server, "close");
    },
  };
}

function answer(parts: LiveServerParts, request: IncomingMessage, response: ServerResponse): void {
  const { method = "", url: path = "" } = request;
  if (!isOurs(parts, request)) return refuse(response, 401);
  const callId = method === "GET" ? SOUND_PATH.exec(path)?.[1] : undefined;
  const line = callId === undefined ? null : parts.lineOf(callId);
  if (callId === undefined || line === null) return refuse(response, 404);
  streamLine(parts, callId, line, response);
}

function upgrade(parts: LiveServerParts, request: IncomingMessage, socket: Duplex): void {
  const asked = request.headers.upgrade?.toLowerCase();
  const talk = parts.talks?.find(({ path, protocol }) => path === request.url && protocol === asked);
  if (!isOurs(parts, request)) return void socket.end("HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n");
  if (talk === undefined) return void socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
  if (talk.isFull()) return void socket.end("HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${talk.protocol}\r\n\r\n`);
  talk.begin(socket);
}

function isOurs({ vouch, workerId, clock }: LiveServerParts, request: IncomingMessage): boolean {
  const { method = "", url: path = "" } = request;
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  return isInternalToken(vouch, { workerId, method, path }, token, clock.now());
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-length": 0 }).end();
}

/** Sends the sound until the line is over, which ends the reply in order, or until nobody listens any more. */
function streamLine(
  { clock, lineOf }: LiveServerParts,
  callId: string,
  line: LineRings,
  response: ServerResponse,
): void {
  const ear = new LineEar(line);
  let cancel: () => void = () => undefined;
  const tick = () => {
    const bytes = ear.take();
    if (bytes !== null) response.write(bytes);
    // Another leg of the same call is another line.
    if (lineOf(callId)?.heard !== line.heard) response.end();
    else if (response.writableLength > BUFFERED_BYTES_MAX) response.destroy();
    else cancel = clock.setTimer(TICK_MS, tick);
  };
  response.on("close", () => cancel());
  response.on("error", () => response.destroy());
  response.writeHead(200, { "content-type": "application/octet-stream", "cache-control": "no-store" });
  response.flushHeaders();
  cancel = clock.setTimer(TICK_MS, tick);
}
