import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { EarsCommand, EarsNotice, EarsSetup } from "./ears-messages.ts";

/** The recognizing processes of this program, shared by all conversations. */
export interface EarsThread {
  /** How many seconds of speech one process recognizes in a second. */
  readonly secondsOfSpeechPerSecond: number;
  /** A way to them for one thread, to be given to `connectRecognizer` there. */
  connect(): MessagePort;
  processIds(): Promise<readonly number[]>;
  /** How many threads are connected. */
  countListeners(): Promise<number>;
  stop(): Promise<void>;
}

/** Resolves when speech can be recognized. Rejects when the weights are missing or the machine cannot run them. */
export async function startEarsThread(setup: EarsSetup): Promise<EarsThread> {
  const worker = new Worker(new URL("./ears-worker.ts", import.meta.url), { name: "ears", workerData: setup });
  const ready = Promise.withResolvers<number>();
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const listings: ((pids: readonly number[]) => void)[] = [];
  const counts: ((count: number) => void)[] = [];
  const tell = (command: EarsCommand, ports: readonly MessagePort[] = []) => worker.postMessage(command, [...ports]);
  worker.on("message", (notice: EarsNotice) => {
    if (notice.type === "ready") ready.resolve(notice.secondsOfSpeechPerSecond);
    else if (notice.type === "processes") listings.shift()?.(notice.pids);
    else if (notice.type === "listeners") counts.shift()?.(notice.count);
    else ready.reject(new Error(notice.reason));
  });
  worker.on("error", (error) => ready.reject(error));
  const stop = async () => {
    tell({ type: "stop" });
    await exited;
  };
  try {
    const secondsOfSpeechPerSecond = await ready.promise;
    return {
      secondsOfSpeechPerSecond,
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
      countListeners: () =>
        new Promise((resolve) => {
          counts.push(resolve);
          tell({ type: "count_listeners" });
        }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
