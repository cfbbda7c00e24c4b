import { MessageChannel, type MessagePort } from "node:worker_threads";
import { systemClock, type Timers } from "@parley/time/clock";
import { pause } from "@parley/time/within";
import { type DetectorThread, openDetectorThread } from "./detector-thread.ts";
import type { VadRoute } from "./vad-messages.ts";

/** The one thread that tells speech from other sound for all calls of a process. When it dies or hangs, another takes its place. */
export interface VadThread {
  /** A way to it for one thread, to be given to `connectVad` there. It leads to whichever thread is the one. */
  connect(): MessagePort;
  /** How many lines are listened to. */
  countLines(): Promise<number>;
  /** For a test: makes the thread die. */
  fallOver(): void;
  /** For a test: makes the thread hang until the first number is no longer 0. */
  hang(gate: Int32Array<SharedArrayBuffer>): void;
  /** Waits for a run that is under way. */
  stop(): Promise<void>;
}

export interface VadThreadOptions {
  /** A run failed, or the thread died or hangs. The calls go on with the next. */
  readonly onFailure: (reason: string) => void;
  readonly timers?: Timers;
}

/** A network that cannot be loaded now may be loaded soon; callees who speak meanwhile are not heard. */
const RETRY_MS = 500;
/** How often the thread has to reply. */
const HEARTBEAT_MS = 1_000;
/**
 * So many heartbeats without a reply mean that it hangs. Fewer would replace threads that only wait for a busy machine; more
 * would leave callees unheard for longer.
 */
const HEARTBEATS_MISSED_MAX = 5;

/**
 * Resolves when the network is loaded. Rejects when its weights are missing or not the ones we know. Listeners and the
 * detector speak to each other directly; the owner only tells listeners of a new detector, so that no window waits for it.
 */
export async function startVadThread({ onFailure, timers = systemClock }: VadThreadOptions): Promise<VadThread> {
  const listeners = new Set<MessagePort>();
  const abandoned = new WeakSet<DetectorThread>();
  const stopping = new AbortController();
  let replacing: Promise<void> = Promise.resolve();
  let cancelHeartbeat: () => void = () => undefined;
  let detector: DetectorThread = await open();

  async function open(): Promise<DetectorThread> {
    const thread = await openDetectorThread({ onFailure, onEnd: (code) => onEnd(thread, code) });
    watchOver(thread);
    return thread;
  }

  function onEnd(thread: DetectorThread, code: number): void {
    if (stopping.signal.aborted || abandoned.has(thread)) return;
    cancelHeartbeat();
    onFailure(`the thread of speech detection ended with code ${code}; another takes its place`);
    replacing = replace();
  }

  function watchOver(thread: DetectorThread): void {
    let missed = 0;
    let isAsked = false;
    const beat = () => {
      missed = isAsked ? missed + 1 : 0;
      if (missed >= HEARTBEATS_MISSED_MAX) return abandon(thread);
      if (!isAsked) {
        isAsked = true;
        void thread.countLines().then(() => {
          isAsked = false;
        });
      }
      cancelHeartbeat = timers.setTimer(HEARTBEAT_MS, beat);
    };
    if (!stopping.signal.aborted) cancelHeartbeat = timers.setTimer(HEARTBEAT_MS, beat);
  }

  /** A thread that is ended inside a run takes the whole process with it, so one that hangs is left to itself. */
  function abandon(thread: DetectorThread): void {
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
        for (const listener of listeners) route(listener);
        return;
      } catch (error) {
        onFailure(error instanceof Error ? error.message : String(error));
        await pause(timers, RETRY_MS, stopping.signal);
      }
    }
  }

  function route(listener: MessagePort): void {
    const { port1, port2 } = new MessageChannel();
    detector.connect(port1);
    listener.postMessage({ port: port2 } satisfies VadRoute, [port2]);
  }

  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      listeners.add(port1);
      port1.on("close", () => listeners.delete(port1));
      port1.unref();
      route(port1);
      return port2;
    },
    countLines: () => detector.countLines(),
    fallOver: () => detector.fallOver(),
    hang: (gate) => detector.hang(gate),
    async stop() {
      stopping.abort();
      cancelHeartbeat();
      await replacing;
      await detector.stop();
      for (const listener of listeners) listener.close();
    },
  };
}
