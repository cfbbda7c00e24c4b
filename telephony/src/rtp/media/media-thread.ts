import { Worker } from "node:worker_threads";
import type { PlayoutHandle } from "@parley/audio/playout-layout";
import { checkKeys } from "../../check-keys.ts";
import type { MediaEvent } from "./media-leg.ts";
import type { MediaCommand, MediaMessage } from "./media-messages.ts";
import type { MediaSetup } from "./media-setup.ts";
import type { MediaStatistics } from "./media-statistics.ts";

export interface MediaThreadOptions {
  /** Node's own sockets even where the kernel's could be polled. */
  readonly usesEventSockets?: boolean;
}

export interface LegToOpen {
  /** One of each family of addresses that we have. */
  bindHosts: readonly string[];
  rtpPort: number;
  rtcpPort: number;
  heard: SharedArrayBuffer;
  played: SharedArrayBuffer;
  playout: PlayoutHandle;
  cname: string;
  onEvent: (event: MediaEvent) => void;
  /** The leg's media ended unexpectedly. */
  onFailure: (reason: string) => void;
}

/** A leg whose media runs in the thread. Commands are sent immediately and executed in order. */
export interface ThreadedLeg {
  readonly rtpPort: number;
  readonly rtcpPort: number;
  configure(setup: MediaSetup): void;
  /** Signs that are not keys are refused here. */
  sendDtmf(keys: string, keyMs?: number): void;
  /**
   * Each plays what the other hears from now on, its own queue mixed in; null, another join of either, and the end of
   * either part them. Both must be legs of one thread, else it throws. A leg that is gone is as good as null.
   */
  join(other: ThreadedLeg | null): void;
  /** Null when the leg is gone. */
  statistics(): Promise<MediaStatistics | null>;
  /** Resolves with the last statistics when its ports are free. */
  close(): Promise<MediaStatistics | null>;
}

interface FollowedLeg {
  toOpen: LegToOpen;
  opened: PromiseWithResolvers<ThreadedLeg>;
  closed: PromiseWithResolvers<MediaStatistics | null>;
  closeWasAsked: boolean;
}

/** Closing takes a moment; a thread that hangs is ended after this time, and its ports stay taken as long as the process. */
const STOP_MAX_MS = 2_000;

/** The outside of one media thread, which carries many legs and continues while this side is busy. */
export class MediaThread {
  readonly #worker: Worker;
  readonly #exited = Promise.withResolvers<void>();
  readonly #legs = new Map<number, FollowedLeg>();
  readonly #idsOfHandles = new WeakMap<ThreadedLeg, number>();
  readonly #requests = new Map<number, (statistics: MediaStatistics | null) => void>();
  #nextId = 1;
  #hasExited = false;
  #failure = "the media thread ended";

  constructor(options: MediaThreadOptions = {}) {
    this.#worker = new Worker(new URL("./media-worker.ts", import.meta.url), {
      name: "media",
      workerData: options,
      // Polled sockets call C by a module of Node's that is experimental, and the version of Node is pinned.
      execArgv: [...process.execArgv, "--disable-warning=ExperimentalWarning"],
    });
    this.#worker.on("message", (message: MediaMessage) => this.#hear(message));
    this.#worker.on("error", (error) => {
      this.#failure = error instanceof Error ? error.message : String(error);
    });
    this.#worker.on("exit", () => this.#abandon());
  }

  /** Legs that are open or opening. */
  get legCount(): number {
    return this.#legs.size;
  }

  /** True once the thread has exited, expectedly or not. */
  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Rejects if the ports are not available. */
  openLeg(toOpen: LegToOpen): Promise<ThreadedLeg> {
    if (this.#hasExited) return Promise.reject(new Error(this.#failure));
    const { bindHosts, rtpPort, rtcpPort, heard, played, playout, cname } = toOpen;
    const legId = this.#nextId++;
    const followed: FollowedLeg = {
      toOpen,
      opened: Promise.withResolvers(),
      closed: Promise.withResolvers(),
      closeWasAsked: false,
    };
    this.#legs.set(legId, followed);
    this.#tell({ type: "open", legId, bindHosts, rtpPort, rtcpPort, heard, played, playout, cname });
    return followed.opened.promise;
  }

  /** Closes all legs and ends the thread. Takes a bounded time. */
  async stop(): Promise<void> {
    for (const followed of this.#legs.values()) followed.closeWasAsked = true;
    this.#tell({ type: "stop" });
    const timer = setTimeout(() => void this.#worker.terminate(), STOP_MAX_MS);
    await this.#exited.promise;
    clearTimeout(timer);
  }

  #tell(command: MediaCommand): void {
    this.#worker.postMessage(command);
  }

  #hear(message: MediaMessage): void {
    if (message.type === "statistics") {
      this.#requests.get(message.requestId)?.(message.statistics);
      this.#requests.delete(message.requestId);
      return;
    }
    const followed = this.#legs.get(message.legId);
    if (!followed) return;
    switch (message.type) {
      case "opened":
        followed.opened.resolve(this.#handleOf(message.legId, followed, message));
        return;
      case "open_failed":
        this.#legs.delete(message.legId);
        followed.opened.reject(new Error(message.reason));
        return;
      case "event":
        followed.toOpen.onEvent(message.event);
        return;
      case "closed":
        this.#legs.delete(message.legId);
        followed.closed.resolve(message.statistics);
        if (message.failure !== null) followed.toOpen.onFailure(message.failure);
    }
  }

  #handleOf(legId: number, followed: FollowedLeg, ports: { rtpPort: number; rtcpPort: number }): ThreadedLeg {
    const handle: ThreadedLeg = {
      rtpPort: ports.rtpPort,
      rtcpPort: ports.rtcpPort,
      configure: (setup) => this.#tell({ type: "configure", legId, setup }),
      sendDtmf: (keys, keyMs) => {
        checkKeys(keys);
        this.#tell({ type: "dtmf", legId, keys, keyMs });
      },
      join: (other) => this.#tell({ type: "join", legId, otherId: other === null ? null : this.#idOf(other, handle) }),
      statistics: () => {
        if (!this.#legs.has(legId)) return Promise.resolve(null);
        const requestId = this.#nextId++;
        const { promise, resolve } = Promise.withResolvers<MediaStatistics | null>();
        this.#requests.set(requestId, resolve);
        this.#tell({ type: "statistics", legId, requestId });
        return promise;
      },
      close: () => {
        if (!followed.closeWasAsked) this.#tell({ type: "close", legId });
        followed.closeWasAsked = true;
        return followed.closed.promise;
      },
    };
    this.#idsOfHandles.set(handle, legId);
    return handle;
  }

  #idOf(other: ThreadedLeg, joining: ThreadedLeg): number {
    const otherId = this.#idsOfHandles.get(other);
    if (otherId === undefined) throw new RangeError("only legs of the same media thread can be joined");
    if (other === joining) throw new RangeError("a leg cannot be joined with itself");
    return otherId;
  }

  /** Releases everything that waits for an exited thread. */
  #abandon(): void {
    this.#hasExited = true;
    this.#exited.resolve();
    for (const resolve of this.#requests.values()) resolve(null);
    this.#requests.clear();
    for (const { toOpen, opened, closed, closeWasAsked } of this.#legs.values()) {
      opened.reject(new Error(this.#failure));
      closed.resolve(null);
      if (!closeWasAsked) toOpen.onFailure(this.#failure);
    }
    this.#legs.clear();
  }
}
