import { connect, type Socket } from "node:net";
import type { Clock } from "@parley/time/clock";
import type { CallLeg, Carrier, Dial, LegStatistics, OrphanedLeg } from "../carrier.ts";
import { lost } from "../leg-end.ts";
import type { ListenerErrorReporter } from "../leg-events.ts";
import { AudioTick } from "./audio/audio-tick.ts";
import { createLineReader } from "./line-reader.ts";
import { encodeLine, LINE_MAX_BYTES, type NetworkReply, type NetworkRequest, parseReply } from "./network-protocol.ts";
import { RemoteLeg } from "./remote-leg.ts";

export interface RemoteSimulatedNetworkOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** How long the network may take to accept a connection or to confirm an end before it is abandoned. */
  readonly patienceMs?: number;
  readonly onListenerError?: ListenerErrorReporter;
}

const PATIENCE_MS = 5_000;

/**
 * A simulated network that runs in another process (see network-process.ts). The connection is opened by the first
 * request and reopened by the first request after it was lost.
 *
 * Closing hangs up the far legs first, as it does for every carrier. Only a lost connection leaves them alone: their
 * owner here gets `lost`, and any other connection that knows the dialId can end them.
 */
export function connectSimulatedNetwork(options: RemoteSimulatedNetworkOptions): Carrier {
  let connection: Promise<NetworkConnection> | null = null;
  let closing: Promise<void> | null = null;

  async function connected(): Promise<NetworkConnection> {
    for (;;) {
      const attempt = connection ?? openNetworkConnection({ patienceMs: PATIENCE_MS, ...options });
      connection = attempt;
      const [outcome] = await Promise.allSettled([attempt]);
      if (outcome.status === "fulfilled" && outcome.value.isOpen) return outcome.value;
      if (connection === attempt) connection = null;
      if (outcome.status === "rejected") throw outcome.reason;
    }
  }

  async function closeConnection(): Promise<void> {
    const [attempt] = await Promise.allSettled(connection === null ? [] : [connection]);
    if (attempt?.status === "fulfilled") await attempt.value.close();
  }

  return {
    name: "simulated",
    async place(dial) {
      if (closing !== null) throw new Error("The way to the simulated network is closed.");
      const opened = await connected();
      if (closing !== null) throw new Error("The way to the simulated network is closed.");
      return opened.place(dial);
    },
    async endOrphan(orphan) {
      if (closing !== null) return false;
      const [attempt] = await Promise.allSettled([connected()]);
      return attempt.status === "fulfilled" && attempt.value.endOrphan(orphan);
    },
    close() {
      closing ??= closeConnection();
      return closing;
    },
  };
}

interface NetworkConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** How long the network may take to accept a connection, to confirm an end, or to report the state of an orphan. */
  readonly patienceMs: number;
  readonly onListenerError?: ListenerErrorReporter;
}

/** Rejects when the network cannot be reached. */
function openNetworkConnection(options: NetworkConnectionOptions): Promise<NetworkConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: options.host, port: options.port, noDelay: true });
    const giveUp = () => socket.destroy(new Error("The simulated network did not accept the connection in time."));
    const cancelTimer = options.clock.setTimer(options.patienceMs, giveUp);
    const fail = (error: Error) => {
      cancelTimer();
      reject(new Error("The simulated network cannot be reached.", { cause: error }));
    };
    socket.once("error", fail);
    socket.once("connect", () => {
      cancelTimer();
      socket.off("error", fail);
      resolve(new NetworkConnection(socket, options));
    });
  });
}

/**
 * One connection to a simulated network in another process, and the legs that were placed over it. It is open until
 * its socket closes; then its legs end as `lost` and its questions stay unanswered.
 */
class NetworkConnection {
  readonly #socket: Socket;
  readonly #options: NetworkConnectionOptions;
  readonly #legs = new Map<number, RemoteLeg>();
  /** Pending requests by the answer they wait for. Null means that none came. */
  readonly #questions = new Map<number, (reply: NetworkReply | null) => void>();
  readonly #tick: AudioTick;
  readonly #closed: Promise<void>;
  #lossReason = "The connection to the simulated network was lost.";
  #lastNumber = 0;

  constructor(socket: Socket, options: NetworkConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#tick = new AudioTick(options.clock);
    const read = createLineReader({
      lineMaxBytes: LINE_MAX_BYTES,
      onLine: (line) => this.#take(parseReply(line)),
      onTooLong: () => this.#take(null),
    });
    socket.on("data", read);
    socket.on("error", (error) => {
      this.#lossReason = `The connection to the simulated network was lost: ${error.message}`;
    });
    this.#closed = new Promise((resolve) => {
      socket.once("close", () => {
        this.#loseEverything();
        resolve();
      });
    });
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  /** Throws only when nothing was sent. Once the line is sent, a leg exists and reports the outcome. */
  place(dial: Dial): CallLeg {
    if (!this.isOpen) throw new Error("The simulated network cannot be reached.");
    const number = this.#nextNumber();
    const line = encodeLine({ type: "place", leg: number, dial: plainDial(dial) });
    if (Buffer.byteLength(line) > LINE_MAX_BYTES) throw new RangeError("The dial is too long for one line.");
    const { clock, patienceMs, onListenerError } = this.#options;
    const leg = new RemoteLeg({
      dialId: dial.dialId,
      clock,
      tick: this.#tick,
      patienceMs,
      onListenerError,
      send: (request) => this.#send({ ...request, leg: number }),
      askStatistics: () => this.#askStatistics(number),
      onEnded: () => this.#legs.delete(number),
    });
    this.#legs.set(number, leg);
    this.#socket.write(line);
    return leg;
  }

  async endOrphan(orphan: OrphanedLeg): Promise<boolean> {
    const reply = await this.#ask((request) => ({ type: "end_orphan", request, orphan }));
    return reply?.type === "orphan" && reply.gone === true;
  }

  /** Hangs up live legs, as far as the network confirms it in time. */
  async close(): Promise<void> {
    await Promise.all([...this.#legs.values()].map((leg) => leg.hangup()));
    this.#socket.destroySoon();
    const cancelTimer = this.#options.clock.setTimer(this.#options.patienceMs, () => this.#socket.destroy());
    await this.#closed;
    cancelTimer();
  }

  #take(reply: NetworkReply | null): void {
    if (reply === null) {
      this.#socket.destroy(new Error("it said something that is not in the protocol"));
      return;
    }
    if (reply.type === "leg") this.#legs.get(reply.leg)?.report(reply.event, reply.statistics ?? null);
    if (reply.type === "audio") this.#legs.get(reply.leg)?.takeAudio(reply.of, reply);
    if (reply.type === "orphan" || reply.type === "statistics") this.#questions.get(reply.request)?.(reply);
    if (reply.type === "error") this.#takeError(reply);
  }

  #takeError({ leg, request, message }: Extract<NetworkReply, { type: "error" }>): void {
    if (leg !== undefined)
      this.#legs.get(leg)?.report({ type: "ended", cause: "rejected", code: null, reason: message, by: "network" });
    if (request !== undefined) this.#questions.get(request)?.(null);
  }

  #send(request: NetworkRequest): void {
    if (this.isOpen) this.#socket.write(encodeLine(request));
  }

  async #askStatistics(leg: number): Promise<LegStatistics | null> {
    const reply = await this.#ask((request) => ({ type: "statistics", leg, request }));
    return reply?.type === "statistics" ? reply.statistics : null;
  }

  /** Null when no answer comes in time. */
  #ask(question: (request: number) => NetworkRequest): Promise<NetworkReply | null> {
    if (!this.isOpen) return Promise.resolve(null);
    const request = this.#nextNumber();
    return new Promise((resolve) => {
      const answer = (reply: NetworkReply | null) => {
        cancelTimer();
        this.#questions.delete(request);
        resolve(reply);
      };
      const cancelTimer = this.#options.clock.setTimer(this.#options.patienceMs, () => answer(null));
      this.#questions.set(request, answer);
      this.#send(question(request));
    });
  }

  #loseEverything(): void {
    for (const leg of [...this.#legs.values()]) leg.report(lost(this.#lossReason));
    for (const answer of [...this.#questions.values()]) answer(null);
  }

  #nextNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }
}

/** The dial request. The journal stays here: a carrier that dials once per dialId does not need it. */
function plainDial({ callId, dialId, to, from, ringTimeoutMs, simulation }: Dial): Dial {
  return {
    callId,
    dialId,
    to,
    from,
    ...(ringTimeoutMs === undefined ? {} : { ringTimeoutMs }),
    ...(simulation === undefined ? {} : { simulation }),
  };
}
