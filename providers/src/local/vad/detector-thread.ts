import { type MessagePort, Worker } from "node:worker_threads";
import type { VadCommand, VadNotice } from "./vad-messages.ts";

/** One thread that runs the network, for as long as it lives. */
export interface DetectorThread {
  /** Gives it the port of another listener. */
  connect(port: MessagePort): void;
  /** How many lines it listens to. */
  countLines(): Promise<number>;
  fallOver(): void;
  hang(gate: Int32Array<SharedArrayBuffer>): void;
  /** Waits for a run that is under way. */
  stop(): Promise<void>;
  /** Has it stop as soon as it can, which may be never, and waits for nothing. */
  abandon(): void;
}

export interface DetectorThreadOptions {
  readonly onFailure: (reason: string) => void;
  /** It is gone, asked or unasked. Not called when it never was ready. */
  readonly onEnd: (code: number) => void;
}

/** Resolves when the network is loaded. Rejects when its weights are missing or not the ones we know. */
export async function openDetectorThread({ onFailure, onEnd }: DetectorThreadOptions): Promise<DetectorThread> {
  const worker = new Worker(new URL("./vad-worker.ts", import.meta.url), { name: "vad" });
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  const counts: ((count: number) => void)[] = [];
  let isReady = false;
  const tell = (command: VadCommand, ports: readonly MessagePort[] = []) => worker.postMessage(command, [...ports]);
  worker.on("message", (notice: VadNotice) => {
    if (notice.type === "lines") counts.shift()?.(notice.count);
    else if (notice.type === "failed") onFailure(notice.reason);
    else {
      isReady = true;
      ready.resolve();
    }
  });
  worker.on("error", (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    if (isReady) onFailure(reason);
    else ready.reject(error);
  });
  worker.once("exit", (code) => {
    exited.resolve();
    for (const answer of counts.splice(0)) answer(0);
    if (isReady) onEnd(code);
    else ready.reject(new Error(`speech detection ended with code ${code} before it was ready`));
  });
  await ready.promise;
  return {
    connect: (port) => tell({ type: "connect", port }, [port]),
    countLines: () =>
      new Promise((resolve) => {
        counts.push(resolve);
        tell({ type: "count_lines" });
      }),
    fallOver: () => tell({ type: "fall_over" }),
    hang: (gate) => tell({ type: "hang", gate }),
    async stop() {
      tell({ type: "stop" });
      await exited.promise;
    },
    abandon() {
      tell({ type: "stop" });
      worker.unref();
    },
  };
}
