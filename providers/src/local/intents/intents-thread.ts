import type { MessagePort } from "node:worker_threads";
import { startServiceThread } from "@parley/threads/service-thread";

/** The sentence encoder of this program, shared by all conversations. */
export interface IntentsThread {
  /** A port to it for one thread, to be given to `connectRanker` there. */
  connect(): MessagePort;
  processIds(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/** For a test that kills a process. */
export interface IntentsAnswers {
  readonly processIds: readonly number[];
}

export interface IntentsThreadOptions {
  /** The thread is gone: from now on nothing can be ranked. */
  readonly onFailure: (reason: string) => void;
}

/** Starts at once. The network is loaded, in a process of its own, when there is something to encode. */
export function startIntentsThread({ onFailure }: IntentsThreadOptions): IntentsThread {
  const program = new URL("./intents-worker.ts", import.meta.url);
  const thread = startServiceThread<void, IntentsAnswers>(program, { name: "intents", onFailure });
  return {
    connect: () => thread.connect(),
    processIds: () => thread.ask("processIds"),
    stop: () => thread.stop(),
  };
}
