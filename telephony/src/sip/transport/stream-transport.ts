import { once } from "node:events";
import { connect, createServer, isIPv6, type Server, type Socket } from "node:net";
import type { Clock } from "@parley/time/clock";
import { createStreamFramer } from "../message/stream-framer.ts";
import { bracketed } from "../message/uri.ts";
import type { Flow, Hop, MessageListener, SipTransport } from "./sip-transport.ts";

export interface StreamOptions {
  readonly clock: Clock;
  readonly address: string;
  /** Where others may connect to us; null when only we connect. 0 takes any free one. */
  readonly port: number | null;
  readonly advertisedHost?: string;
}

export interface StreamDeps extends StreamOptions {
  readonly kind: "tcp" | "tls";
  /** `onReady` is called when messages may flow, which for TLS is after the handshake. */
  readonly connect: (target: Hop, onReady: () => void) => Socket;
  readonly createServer: ((onConnection: (socket: Socket) => void) => Server) | null;
}

/** Where the operator named an address of the machine, connections leave from it too. */
export function fromOwnAddress({ address }: Pick<StreamOptions, "address">): { localAddress?: string } {
  return address === "0.0.0.0" || address === "::" || address === "" ? {} : { localAddress: address };
}

const CONNECT_TIMEOUT_MS = 5_000;
/** The maximum number of inbound connections; a trunk needs one or two. */
const INCOMING_MAX = 256;
/** The maximum per peer, so that one peer cannot take all of them. */
const INCOMING_PER_SOURCE_MAX = 16;
/** Inbound connections that are silent this long are closed. Outbound ones live as long as the peer keeps them. */
const INCOMING_IDLE_MS = 10 * 60_000;

/** What TCP and TLS have in common: connections are opened when needed, kept, and used both ways. */
export class StreamTransport implements SipTransport {
  readonly kind: "tcp" | "tls";
  readonly isReliable = true;
  readonly #deps: StreamDeps;
  readonly #connections = new Map<number, { readonly connection: StreamConnection; readonly hop: Hop }>();
  #server: Server | null = null;
  #port = 0;
  #incoming = 0;
  readonly #incomingBySource = new Map<string, number>();
  #lastId = 0;
  #isClosed = false;
  #listener: MessageListener | null = null;
  #onFlowLost: ((flow: Flow) => void) | null = null;

  constructor(deps: StreamDeps) {
    this.kind = deps.kind;
    this.#deps = deps;
  }

  get local(): { readonly host: string; readonly port: number } {
    return { host: bracketed(this.#deps.advertisedHost ?? this.#deps.address), port: this.#port };
  }

  /** Rejects if the address is not available. */
  async listen(): Promise<this> {
    const { createServer, address, port } = this.#deps;
    if (createServer === null || port === null) return this;
    const server = createServer((socket) => this.#accept(socket));
    server.listen({ port, host: address, ipv6Only: isIPv6(address) });
    await once(server, "listening");
    // What goes wrong while accepting concerns that one connection.
    server.on("error", () => undefined);
    this.#server = server;
    const bound = server.address();
    this.#port = bound === null || typeof bound === "string" ? 0 : bound.port;
    return this;
  }

  send(bytes: Buffer, target: Hop, onFailure: (reason: string) => void): () => void {
    if (!this.#isClosed) return this.#connectionFor(target).send(bytes, onFailure);
    queueMicrotask(() => onFailure("the transport is closed"));
    return () => undefined;
  }

  connect(target: Hop, onReady: (flow: Flow) => void, onFailure: (reason: string) => void): () => void {
    if (this.#isClosed) {
      queueMicrotask(() => onFailure("the transport is closed"));
      return () => undefined;
    }
    const connection = this.#connectionFor(target);
    return connection.whenFlows((flow) => (flow === null ? onFailure(connection.closedBecause) : onReady(flow)));
  }

  onFlowLost(listener: (flow: Flow) => void): void {
    this.#onFlowLost = listener;
  }

  onMessage(listener: MessageListener): void {
    this.#listener = listener;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { connection } of this.#connections.values()) connection.destroy("the transport is closed");
    const server = this.#server;
    this.#server = null;
    if (server !== null) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  /** RFC 3261 section 18.2.2: by the connection the request came in by, else by one to that place, else by a new one. */
  #connectionFor(target: Hop): StreamConnection {
    const named = target.connection === undefined ? undefined : this.#connections.get(target.connection);
    if (named?.connection.isOpen) return named.connection;
    for (const { connection, hop } of this.#connections.values()) {
      const isThere = hop.address === target.address && hop.port === target.port;
      if (isThere && hop.serverName === target.serverName && connection.isOpen) return connection;
    }
    return this.#open(target);
  }

  #open({ connection: _, ...target }: Hop): StreamConnection {
    let stopWaiting: () => void = () => undefined;
    const socket = this.#deps.connect(target, () => {
      stopWaiting();
      connection.ready();
    });
    const connection = this.#keep(socket, target, false, () => {
      stopWaiting();
      if (connection.flow !== null && !this.#isClosed) this.#onFlowLost?.(connection.flow);
    });
    stopWaiting = this.#deps.clock.setTimer(CONNECT_TIMEOUT_MS, () => connection.destroy("connecting took too long"));
    return connection;
  }

  #accept(socket: Socket): void {
    const source = socket.remoteAddress ?? "";
    const ofSource = this.#incomingBySource.get(source) ?? 0;
    if (this.#isClosed || this.#incoming >= INCOMING_MAX || ofSource >= INCOMING_PER_SOURCE_MAX) {
      socket.on("error", () => undefined);
      socket.destroy();
      return;
    }
    this.#incoming += 1;
    this.#incomingBySource.set(source, ofSource + 1);
    const hop = { transport: this.kind, address: source, port: socket.remotePort ?? 0 };
    const connection = this.#keep(socket, hop, true, () => this.#letGo(source));
    socket.setTimeout(INCOMING_IDLE_MS, () => connection.destroy("nothing came for too long"));
  }

  #letGo(source: string): void {
    this.#incoming -= 1;
    const left = (this.#incomingBySource.get(source) ?? 1) - 1;
    if (left > 0) this.#incomingBySource.set(source, left);
    else this.#incomingBySource.delete(source);
  }

  #keep(socket: Socket, hop: Hop, isReady: boolean, onClosed: () => void): StreamConnection {
    this.#lastId += 1;
    const id = this.#lastId;
    const connection = new StreamConnection(socket, isReady, {
      onMessage: (bytes) => this.#listener?.(bytes, { ...hop, connection: id }),
      onClosed: () => {
        this.#connections.delete(id);
        onClosed();
      },
    });
    this.#connections.set(id, { connection, hop });
    return connection;
  }
}

export interface StreamConnectionEvents {
  readonly onMessage: (bytes: Buffer) => void;
  /** Called once, when the connection is gone for any reason. */
  readonly onClosed: (reason: string) => void;
}

/** What may wait to be written. A peer that does not read is cut off instead of filling our memory. */
const UNWRITTEN_MAX_BYTES = 1024 * 1024;
const KEEP_ALIVE_AFTER_MS = 30_000;
const PONG = Buffer.from("\r\n");

/** One TCP or TLS connection that carries messages both ways. Owns its socket. */
export class StreamConnection {
  readonly #socket: Socket;
  readonly #failures = new Set<(reason: string) => void>();
  /** Messages that wait for the connection to open; null from then on. */
  #waiting: Set<{ readonly bytes: Buffer; readonly onFailure: (reason: string) => void }> | null;
  #waitingBytes = 0;
  readonly #flowListeners = new Set<(flow: Flow | null) => void>();
  #flow: Flow | null = null;
  #closedBecause: string | null = null;

  constructor(socket: Socket, isReady: boolean, { onMessage, onClosed }: StreamConnectionEvents) {
    this.#socket = socket;
    this.#waiting = isReady ? null : new Set();
    const framer = createStreamFramer({
      onMessage,
      onPing: () => socket.write(PONG),
      onBroken: (reason) => this.destroy(reason),
    });
    socket.setNoDelay(true);
    // A peer that vanished, or a translation that was forgotten, is noticed even while nothing is said.
    socket.setKeepAlive(true, KEEP_ALIVE_AFTER_MS);
    socket.on("data", (chunk) => framer.push(Buffer.from(chunk)));
    socket.on("error", (error) => {
      this.#closedBecause ??= error.message;
    });
    socket.on("end", () => this.destroy("the peer closed the connection"));
    socket.on("close", () => {
      const reason = this.#closedBecause ?? "the connection was closed";
      this.#tellFlow(null);
      for (const { onFailure } of this.#waiting ?? []) onFailure(reason);
      this.#waiting?.clear();
      for (const fail of this.#failures) fail(reason);
      this.#failures.clear();
      onClosed(reason);
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Our end of it; null before it is open. */
  get flow(): Flow | null {
    return this.#flow;
  }

  get closedBecause(): string {
    return this.#closedBecause ?? "the connection was closed";
  }

  /** Reports our end once it is established, or null if it fails. Returns a function that cancels the request. */
  whenFlows(listener: (flow: Flow | null) => void): () => void {
    const flow = this.#flow;
    this.#flowListeners.add(listener);
    if (flow !== null) queueMicrotask(() => this.#flowListeners.delete(listener) && listener(flow));
    return () => this.#flowListeners.delete(listener);
  }

  /** The connection is open: waiting messages are sent. */
  ready(): void {
    const { localAddress, localPort } = this.#socket;
    if (localAddress !== undefined && localPort !== undefined) this.#flow = { host: localAddress, port: localPort };
    this.#tellFlow(this.#flow);
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const { bytes, onFailure } of waiting) this.#write(bytes, onFailure);
  }

  /** Before the connection is open, the bytes wait for it and may be cancelled. */
  send(bytes: Buffer, onFailure: (reason: string) => void): () => void {
    const waiting = this.#waiting;
    if (waiting === null) {
      this.#write(bytes, onFailure);
      return () => undefined;
    }
    const message = { bytes, onFailure };
    waiting.add(message);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > UNWRITTEN_MAX_BYTES) this.destroy("the peer does not read");
    return () => {
      if (waiting.delete(message)) this.#waitingBytes -= bytes.length;
    };
  }

  destroy(reason: string): void {
    this.#closedBecause ??= reason;
    this.#socket.destroy();
  }

  #tellFlow(flow: Flow | null): void {
    const listeners = [...this.#flowListeners];
    this.#flowListeners.clear();
    for (const listener of listeners) listener(flow);
  }

  #write(bytes: Buffer, onFailure: (reason: string) => void): void {
    this.#failures.add(onFailure);
    this.#socket.write(bytes, (error) => {
      if (this.#failures.delete(onFailure) && error) onFailure(this.#closedBecause ?? error.message);
    });
    if (this.#socket.writableLength > UNWRITTEN_MAX_BYTES) this.destroy("the peer does not read");
  }
}

/** Rejects if the address is not available. */
export function openTcpTransport(options: StreamOptions): Promise<SipTransport> {
  const transport = new StreamTransport({
    ...options,
    kind: "tcp",
    connect: ({ address, port }, onReady) => connect({ host: address, port, ...fromOwnAddress(options) }, onReady),
    createServer,
  });
  return transport.listen();
}
