import { Agent, type AgentOptions, type ClientRequest, type ClientRequestArgs } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "@parley/time/clock";

/** What a request says to its agent beside what HTTP needs. */
export interface PinnedRequestArgs extends ClientRequestArgs {
  /** Host, port and the address that was judged: a connection is only used again for the very same three. */
  readonly pinnedTo: string;
  /** Hands over the connection that was opened for this request. */
  readonly takeSocket: () => Socket;
}

export interface PinnedAgentOptions {
  readonly clock: Clock;
  /** How long a connection waits for another request; 0 closes each after its reply. */
  readonly idleMs: number;
  readonly idlePerTargetMax: number;
}

/**
 * Keeps connections for the next request to the same host at the same judged address. It never opens one itself, so
 * no address can be connected to that was not judged for the current request. Options about proxies are not given to
 * it: the environment has no say in where requests go.
 */
export class PinnedAgent extends Agent {
  readonly #clock: Clock;
  readonly #idleMs: number;
  /** What takes a waiting connection off the list, and its timer with it. */
  readonly #idle = new Map<Duplex, () => void>();

  constructor({ clock, idleMs, idlePerTargetMax }: PinnedAgentOptions) {
    const options: AgentOptions = { keepAlive: idleMs > 0, maxFreeSockets: idlePerTargetMax };
    super(options);
    this.#clock = clock;
    this.#idleMs = idleMs;
  }

  hasIdle(pinnedTo: string): boolean {
    return (this.freeSockets[pinnedTo] ?? []).some((socket) => !socket.destroyed);
  }

  override getName(options?: ClientRequestArgs): string {
    return pinOf(options).pinnedTo;
  }

  override createConnection(options: ClientRequestArgs): Duplex {
    return pinOf(options).takeSocket();
  }

  override keepSocketAlive(socket: Duplex): void {
    const cancel = this.#clock.setTimer(this.#idleMs, () => socket.destroy());
    const forget = () => {
      cancel();
      socket.off("close", forget);
      this.#idle.delete(socket);
    };
    socket.once("close", forget);
    this.#idle.set(socket, forget);
    return super.keepSocketAlive(socket);
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#idle.get(socket)?.();
    super.reuseSocket(socket, request);
  }
}

function pinOf(options: ClientRequestArgs | undefined): PinnedRequestArgs {
  if (!options || !("pinnedTo" in options)) throw new Error("a request came to the agent without its pin");
  return options as PinnedRequestArgs;
}
