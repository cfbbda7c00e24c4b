import { MessageChannel, type MessagePort } from "node:worker_threads";
import { type ServiceThread, startServiceThread } from "@parley/threads/service-thread";
import { systemClock, type Timers } from "@parley/time/clock";
import { pause } from "@parley/time/within";
import type { VadRoute } from "./connect-vad.ts";

/** What the owner of a detector may ask it. */
export interface VadAnswers {
  readonly lines: number;
  /** The longest that a window has waited beyond the pace of the detector since the last time it was asked. */
  readonly lateMs: number;
}

type Detector = ServiceThread<void, VadAnswers>;

/** The one thread that detects speech for all calls of a process. A thread that dies or hangs is replaced. */
export interface VadThread {
  /** A port for one thread, to be passed to `connectVad` there. It survives the replacement of the detector. */
  connect(): MessagePort;
  /** How many lines are watched. */
  countLines(): Promise<number>;
  /** How late windows were since the last time this was asked. */
  lateMs(): Promise<number>;
  /** Waits for a run in progress. */
  stop(): Promise<void>;
}

export interface VadThreadOptions {
  /** A run failed, or the thread died or hangs. Calls continue with the next run, or the next thread. */
  readonly onFailure: (reason: string) => void;
  readonly timers?: Timers;
  /** The program of the thread. */
  readonly program?: URL;
}

const PROGRAM = new URL("./vad-worker.ts", import.meta.url);

/** A network that cannot be loaded now may load soon. Until then speech is not detected. */
const RETRY_MS = 500;
/** How often the thread has to reply. */
const HEARTBEAT_MS = 1_000;
/**
 * This many heartbeats without a reply mean that it hangs. Fewer would replace threads that only wait for a busy
 * machine; more would leave speech undetected for longer.
 */
const HEARTBEATS_MISSED_MAX = 5;

/**
 * Resolves when the network is loaded. Rejects when its weights are missing or have an unknown digest. Clients and the
 * detector exchange messages directly; the owner only sends clients the port of a new detector, so that no window waits
 * for it.
 */
export async function startVadThread(options: VadThreadOptions): Promise<VadThread> {
  const { onFailure, timers = systemClock, program = PROGRAM } = options;
  const clients = new Set<MessagePort>();
  const abandoned = new WeakSet<Detector>();
  const stopping = new AbortController();
  let replacing: Promise<void> = Promise.resolve();
  let cancelHeartbeat: () => void = () => undefined;
  let detector = await open();

  async function open(): Promise<Detector> {
    let isReady = false;
    const thread: Detector = startServiceThread(program, {
      name: "vad",
      // Before that, opening rejects with the reason.
      onFailure: (reason) => {
        if (isReady) onFailure(reason);
      },
      onProblem: onFailure,
    });
    try {
      await thread.ready;
    } catch (error) {
      await thread.stop();
      throw error;
    }
    isReady = true;
    void thread.ended.then((code) => onEnd(thread, code));
    watchOver(thread);
    return thread;
  }

  function onEnd(thread: Detector, code: number): void {
    if (stopping.signal.aborted || abandoned.has(thread)) return;
    cancelHeartbeat();
    onFailure(`the thread of speech detection ended with code ${code}; another takes its place`);
    replacing = replace();
  }

  function watchOver(thread: Detector): void {
    let missed = 0;
    let isAsked = false;
    const beat = () => {
      missed = isAsked ? missed + 1 : 0;
      if (missed >= HEARTBEATS_MISSED_MAX) return abandon(thread);
      if (!isAsked) {
        isAsked = true;
        void thread.ask("lines").then(
          () => {
            isAsked = false;
          },
          () => undefined,
        );
      }
      cancelHeartbeat = timers.setTimer(HEARTBEAT_MS, beat);
    };
    if (!stopping.signal.aborted) cancelHeartbeat = timers.setTimer(HEARTBEAT_MS, beat);
  }

  /** A thread that is ended inside a run takes the whole process with it, so a hanging one is abandoned. */
  function abandon(thread: Detector): void {
    const silentMs = HEARTBEAT_MS * HEARTBEATS_MISSED_MAX;
    onFailure(`the thread of speech detection has not replied for ${silentMs} ms; another takes its place`);
    abandoned.add(thread);
    thread.abandon();
    replacing = replace();
  }

  async function replace(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        detector = await open();
        for (const client of clients) route(client);
        return;
      } catch (error) {
        onFailure(error instanceof Error ? error.message : String(error));
        await pause(timers, RETRY_MS, stopping.signal);
      }
    }
  }

  function route(client: MessagePort): void {
    const port = detector.connect();
    client.postMessage({ port } satisfies VadRoute, [port]);
  }

  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      clients.add(port1);
      port1.on("close", () => clients.delete(port1));
      port1.unref();
      route(port1);
      return port2;
    },
    countLines: () => detector.ask("lines").catch(() => 0),
    lateMs: () => detector.ask("lateMs").catch(() => 0),
    async stop() {
      stopping.abort();
      cancelHeartbeat();
      await replacing;
      await detector.stop();
      for (const client of clients) client.close();
    },
  };
}
