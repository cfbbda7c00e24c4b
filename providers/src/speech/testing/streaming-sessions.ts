import { EventEmitter, once } from "node:events";
import type { Clock } from "@parley/time/clock";
import type { WebSocket } from "ws";

/** What a stream does with the messages of a client, one after the other. */
export interface WireSession {
  hear(bytes: Uint8Array): Promise<void>;
  control(message: Readonly<Record<string, unknown>>): Promise<void>;
}

/** How a session answers. */
export interface SessionWire {
  send(message: object | Uint8Array): void;
  end(code?: number, reason?: string): void;
}

/** What goes wrong at the next request of a client, such as `Finalize` or `Flush`. */
export type StreamFault =
  | { readonly type: "cut" }
  /** The request is never answered. */
  | { readonly type: "ignore" }
  | { readonly type: "close"; readonly code: number; readonly reason: string }
  /** Sends this instead of the answer. */
  | { readonly type: "send"; readonly data: string };

interface SessionsOptions {
  readonly clock: Clock;
  /** Every message of the server comes this late. */
  readonly delayMs: number;
  /** How a message of a client is recorded. Null: it is audio. */
  nameOf(message: Readonly<Record<string, unknown>>): string | null;
  /** The names of messages that demand an answer. */
  readonly requests: ReadonlySet<string>;
}

/** The WebSockets of a stand-in for a vendor: each has a session, which takes messages in order, and planned faults. */
export class StreamingSessions {
  /** The names of all messages of clients, without audio. */
  readonly messages: string[] = [];
  readonly #options: SessionsOptions;
  readonly #clients = new Set<WebSocket>();
  readonly #faults: StreamFault[] = [];
  readonly #events = new EventEmitter();
  #audioBytes = 0;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get audioBytes(): number {
    return this.#audioBytes;
  }

  serve(client: WebSocket, open: (wire: SessionWire) => WireSession): void {
    const { clock, delayMs } = this.#options;
    this.#clients.add(client);
    const later = (act: () => void) => (delayMs === 0 ? act() : void clock.setTimer(delayMs, act));
    const session = open({
      send(message) {
        const data = message instanceof Uint8Array ? message : JSON.stringify(message);
        later(() => client.send(data, () => undefined));
      },
      end: (code = 1000, reason = "") => later(() => client.close(code, reason)),
    });
    let queue = Promise.resolve();
    client.on("message", (data: Buffer, isBinary) => {
      queue = queue
        .then(() => this.#take(client, session, data, isBinary))
        .catch(() => client.close(1011, "the stand-in has failed"));
    });
    client.on("error", () => client.terminate());
    client.once("close", () => this.#clients.delete(client));
  }

  breakAtNextRequest(fault: StreamFault): void {
    this.#faults.push(fault);
  }

  /** Sends something to all connected clients, whatever the protocol says. */
  inject(data: string | Uint8Array): void {
    for (const client of this.#clients) client.send(data);
  }

  /** Closes all connections in the way of the vendor. */
  closeAll(code: number, reason: string): void {
    for (const client of this.#clients) client.close(code, reason);
  }

  /** Resolves when a message of this name has arrived, now or earlier. */
  async received(name: string): Promise<void> {
    while (!this.messages.includes(name)) await once(this.#events, "received");
  }

  async #take(client: WebSocket, session: WireSession, data: Buffer, isBinary: boolean): Promise<void> {
    const isOpen = client.readyState === client.OPEN;
    if (isBinary) {
      this.#audioBytes += data.length;
      return isOpen ? session.hear(data) : undefined;
    }
    const message = data.length === 0 ? {} : JSON.parse(data.toString("utf8"));
    const name = this.#options.nameOf(message);
    if (name !== null) {
      this.messages.push(name);
      this.#events.emit("received");
    }
    // The last message of a client may be followed by its end of the connection at once.
    if (!isOpen) return;
    if (name === null) return session.control(message);
    const fault = this.#options.requests.has(name) ? this.#faults.shift() : undefined;
    if (!fault) return session.control(message);
    if (fault.type === "cut") client.terminate();
    else if (fault.type === "close") client.close(fault.code, fault.reason);
    else if (fault.type === "send") client.send(fault.data);
  }
}
