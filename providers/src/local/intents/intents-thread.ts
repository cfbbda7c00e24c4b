import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { RankerCommand, RankerNotice } from "./intents-messages.ts";

/** The sentence encoder of this program, shared by all conversations. */
export interface IntentsThread {
  /** A way to it for one thread, to be given to `connectRanker` there. */
  connect(): MessagePort;
  processIds(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

export interface IntentsThreadOptions {
  /** The thread is gone: from now on nothing can be ranked. */
  readonly onFailure: (reason: string) => void;
}

/** Starts at once. The network is loaded, in a process of its own, when there is something to encode. */
export function startIntentsThread({ onFailure }: IntentsThreadOptions): IntentsThread {
  const worker = new Worker(new URL("./intents-worker.ts", import.meta.url), { name: "intents" });
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const listings: ((pids: readonly number[]) => void)[] = [];
  const tell = (command: RankerCommand, ports: readonly MessagePort[] = []) => worker.postMessage(command, [...ports]);
  worker.on("error", (error) => onFailure(error instanceof Error ? error.message : String(error)));
  worker.on("message", ({ pids }: RankerNotice) => listings.shift()?.(pids));
  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      tell({ type: "connect", port: port1 }, [port1]);
      return port2;
    },
    processIds: () =>
      new Promise((resolve) => {
        listings.push(resolve);
        tell({ type: "list_processes" });
      }),
    async stop() {
      tell({ type: "stop" });
      await exited;
    },
  };
}
