import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { samplesIn } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { Clock } from "@parley/time/clock";
import { isInternalToken, type Vouch } from "./internal-token.ts";

interface LiveServerOptions {
  readonly workerId: string;
  readonly vouch: Vouch;
  readonly clock: Clock;
  /** The audio of a call this process conducts; null for any other, and before anything was dialed. */
  lineOf(callId: string): LineRings | null;
  /** Handlers for upgraded connections, by the requested path and protocol. */
  readonly talks?: readonly LiveTalk[];
  /** What phone vendors send about calls that this process holds; null while it takes nothing. */
  vendors?(): VendorInlet | null;
}

interface VendorInlet {
  handleRequest(kind: string, trunkId: string, request: InletRequest): InletReply;
  handleUpgrade(kind: string, trunkId: string, request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

interface InletRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface InletReply {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
}

export interface LiveTalk {
  readonly path: string;
  readonly protocol: string;
  /** Whether it cannot accept another connection now. */
  isFull(): boolean;
  begin(socket: Duplex): void;
}

export interface LiveServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The path at which a worker serves the audio of a call. */
export const audioPath = (callId: string): string => `/live/calls/${callId}/sound`;

/** The path at which a worker takes what a vendor sent about a trunk; `rest` begins with a slash. */
export const vendorInletPath = (kind: string, trunkId: string, rest: string): string =>
  `/live/carriers/${kind}/${trunkId}${rest}`;

/** The largest body of a vendor's request: its forms have some 2 kB. */
export const VENDOR_BODY_BYTES_MAX = 64 * 1024;

const VENDOR_PATH = /^\/live\/carriers\/([a-z]{1,20})\/([A-Za-z0-9_]{1,60})(\/[\w/-]{1,200})$/;
const AUDIO_PATH = /^\/live\/calls\/([A-Za-z0-9_]{1,60})\/sound$/;
/** Half of what people still perceive as immediate. */
const TICK_MS = 100;
/** A process that does not read is cut off after about eight seconds of audio. */
const BUFFERED_BYTES_MAX = 256 * 1024;

/**
 * Serves live calls to the other processes of the installation. It is not for people: each request carries a
 * short-lived token that proves that its sender knows the installation's secret.
 */
export async function openLiveServer(options: LiveServerOptions, host: string, port: number): Promise<LiveServer> {
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => answer(options, request, response));
  server.on("clientError", (_, socket) => socket.destroy());
  const talking = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    talking.add(socket);
    socket.once("close", () => talking.delete(socket));
    if (isOurs(options, request) && takeVendorSocket(options, request, socket, head)) return;
    if (head.length > 0) socket.unshift(head);
    upgrade(options, request, socket);
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
      // Upgraded connections are not closed by the server.
      for (const socket of talking) socket.destroy();
      await once(server, "close");
    },
  };
}

function answer(options: LiveServerOptions, request: IncomingMessage, response: ServerResponse): void {
  const { method = "", url: path = "" } = request;
  if (!isOurs(options, request)) return refuse(response, 401);
  if (method === "POST") return void answerVendor(options, request, response).catch(() => response.destroy());
  const callId = method === "GET" ? AUDIO_PATH.exec(path)?.[1] : undefined;
  const line = callId === undefined ? null : options.lineOf(callId);
  if (callId === undefined || line === null) return refuse(response, 404);
  streamLine(options, callId, line, response);
}

function upgrade(options: LiveServerOptions, request: IncomingMessage, socket: Duplex): void {
  const asked = request.headers.upgrade?.toLowerCase();
  const talk = options.talks?.find(({ path, protocol }) => path === request.url && protocol === asked);
  if (!isOurs(options, request)) return void socket.end("HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n");
  if (talk === undefined) return void socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
  if (talk.isFull()) return void socket.end("HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${talk.protocol}\r\n\r\n`);
  talk.begin(socket);
}

async function answerVendor(
  options: LiveServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, kind, trunkId, path] = VENDOR_PATH.exec(request.url ?? "") ?? [];
  const vendors = options.vendors?.() ?? null;
  if (kind === undefined || trunkId === undefined || path === undefined || vendors === null)
    return refuse(response, 404);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > VENDOR_BODY_BYTES_MAX) return refuse(response, 413);
    chunks.push(chunk);
  }
  const { headers } = request;
  const reply = vendors.handleRequest(kind, trunkId, { path, headers, body: Buffer.concat(chunks) });
  const type = reply.contentType === null ? {} : { "content-type": reply.contentType };
  response.writeHead(reply.status, type).end(reply.body);
}

/** False when it is not for a vendor. */
function takeVendorSocket(options: LiveServerOptions, request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
  const [, kind, trunkId] = VENDOR_PATH.exec(request.url ?? "") ?? [];
  const vendors = options.vendors?.() ?? null;
  if (kind === undefined || trunkId === undefined || vendors === null) return false;
  vendors.handleUpgrade(kind, trunkId, request, socket, head);
  return true;
}

function isOurs({ vouch, workerId, clock }: LiveServerOptions, request: IncomingMessage): boolean {
  const { method = "", url: path = "" } = request;
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  return isInternalToken(vouch, { workerId, method, path }, token, clock.now());
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-length": 0 }).end();
}

/** Streams the audio until the line is over, which ends the reply normally, or until the listener leaves. */
function streamLine(
  { clock, lineOf }: LiveServerOptions,
  callId: string,
  line: LineRings,
  response: ServerResponse,
): void {
  const listener = new LineListener(line);
  let cancel: () => void = () => undefined;
  const tick = () => {
    const bytes = listener.take();
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

/** The two sides of a line. Equal positions are equal instants. */
export interface LineRings {
  readonly heard: SharedArrayBuffer;
  readonly played: SharedArrayBuffer;
}

const PIECE_SAMPLES = samplesIn(100);
/** A listener further behind than this skips ahead to the present. */
const BEHIND_MAX_SAMPLES = samplesIn(2_000);

/**
 * Reads both sides of a line from now on, as 16-bit stereo with the callee on the left and the agent on the right. It
 * only reads the rings, so a call is not affected by its listeners.
 */
class LineListener {
  readonly #heard: RingReader;
  readonly #played: RingReader;
  readonly #left = new Int16Array(PIECE_SAMPLES);
  readonly #right = new Int16Array(PIECE_SAMPLES);
  #position: number;

  constructor({ heard, played }: LineRings) {
    this.#heard = new RingReader(heard);
    this.#played = new RingReader(played);
    this.#position = this.#writtenPosition();
  }

  /** The audio since the last call; null when there is none. */
  take(): Buffer | null {
    const written = this.#writtenPosition();
    if (written - this.#position > BEHIND_MAX_SAMPLES) this.#position = written - PIECE_SAMPLES;
    const pieces: Buffer[] = [];
    while (this.#position < written) {
      const count = Math.min(PIECE_SAMPLES, written - this.#position);
      const isRead =
        this.#heard.peek(this.#position, count, this.#left) && this.#played.peek(this.#position, count, this.#right);
      this.#position += count;
      if (isRead) pieces.push(interleave(this.#left, this.#right, count));
    }
    return pieces.length === 0 ? null : Buffer.concat(pieces);
  }

  #writtenPosition(): number {
    return Math.min(this.#heard.writtenPosition, this.#played.writtenPosition);
  }
}

function interleave(left: Int16Array, right: Int16Array, count: number): Buffer {
  const bytes = Buffer.alloc(count * 4);
  for (let index = 0; index < count; index += 1) {
    bytes.writeInt16LE(left[index] as number, index * 4);
    bytes.writeInt16LE(right[index] as number, index * 4 + 2);
  }
  return bytes;
}
