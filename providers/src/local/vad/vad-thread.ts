import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { VadCommand, VadNotice } from "./vad-messages.ts";

/** The one thread that tells speech from other sound for all calls of a process. */
export interface VadThread {
  /** A way to it for one thread, to be given to `connectVad` there. */
  connect(): MessagePort;
  /** Waits for a run that is under way. */
  stop(): Promise<void>;
}

export interface VadThreadOptions {
  /** A run failed; the calls go on with the next. */
  readonly onFailure: (reason: string) => void;
}

/** Resolves when the network is loaded. Rejects when its weights are missing or not the ones we know. */
export async function startVadThread({ onFailure }: VadThreadOptions): Promise<VadThread> {
  const worker = new Worker(new URL("./vad-worker.ts", import.meta.url), { name: "vad" });
  const ready = Promise.withResolvers<void>();
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.on("message", (notice: VadNotice) => {
    if (notice.type === "ready") ready.resolve();
    else onFailure(notice.reason);
  });
  worker.on("error", (error) => {
    ready.reject(error);
    onFailure(error instanceof Error ? error.message : String(error));
  });
  await ready.promise;
  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ type: "connect", port: port1 } satisfies VadCommand, [port1]);
      return port2;
    },
    async stop() {
      worker.postMessage({ type: "stop" } satisfies VadCommand);
      await exited;
    },
  };
}
