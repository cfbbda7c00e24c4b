import type { Socket } from "node:net";
import { createStreamFramer } from "../stream-framer.ts";
import type { Flow } from "./sip-transport.ts";

export interface StreamConnectionEvents {
  readonly onMessage: (bytes: Buffer) => void;
  /** Called once, when the connection is gone for whatever reason. */
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
  /** What waits for the connection to stand; null from then on. */
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

  /** Our end of it; null before it stands. */
  get flow(): Flow | null {
    return this.#flow;
  }

  get closedBecause(): string {
    return this.#closedBecause ?? "the connection was closed";
  }

  /** Tells our end of it once it stands, or null when it never will. Returns what takes the question back. */
  whenFlows(listener: (flow: Flow | null) => void): () => void {
    const flow = this.#flow;
    this.#flowListeners.add(listener);
    if (flow !== null) queueMicrotask(() => this.#flowListeners.delete(listener) && listener(flow));
    return () => this.#flowListeners.delete(listener);
  }

  /** The connection stands: what waited for it leaves. */
  ready(): void {
    const { localAddress, localPort } = this.#socket;
    if (localAddress !== undefined && localPort !== undefined) this.#flow = { host: localAddress, port: localPort };
    this.#tellFlow(this.#flow);
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const { bytes, onFailure } of waiting) this.#write(bytes, onFailure);
  }

  /** Also before the connection stands: the bytes wait for it, and may be taken back until then. */
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
