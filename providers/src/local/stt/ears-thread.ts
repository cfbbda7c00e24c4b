import type { MessagePort } from "node:worker_threads";
import { startServiceThread } from "@parley/threads/service-thread";
import type { MoonshineSize } from "./moonshine-weights.ts";

export interface EarsSetup {
  readonly size: MoonshineSize;
  readonly processes: number;
  /** From the request to the result. Left out: 8 seconds. */
  readonly deadlineMs?: number;
}

/** What the thread reports when its first process is loaded. */
export interface EarsReady {
  readonly secondsOfSpeechPerSecond: number;
}

/** For tests: one that kills a process, and one that looks whether anything is left. */
export interface EarsAnswers {
  readonly processIds: readonly number[];
  readonly listeners: number;
}

/** The recognizing processes of this program, shared by all conversations. */
export interface EarsThread {
  /** How many seconds of speech one process recognizes in a second. */
  readonly secondsOfSpeechPerSecond: number;
  /** A port to them for one thread, to be given to `connectRecognizer` there. */
  connect(): MessagePort;
  processIds(): Promise<readonly number[]>;
  /** How many threads are connected. */
  countListeners(): Promise<number>;
  stop(): Promise<void>;
}

/** Resolves when speech can be recognized. Rejects when the weights are missing or the machine cannot run them. */
export async function startEarsThread(setup: EarsSetup): Promise<EarsThread> {
  const thread = startServiceThread<EarsReady, EarsAnswers>(new URL("./ears-worker.ts", import.meta.url), {
    name: "ears",
    workerData: setup,
  });
  try {
    const { secondsOfSpeechPerSecond } = await thread.ready;
    return {
      secondsOfSpeechPerSecond,
      connect: () => thread.connect(),
      processIds: () => thread.ask("processIds"),
      countListeners: () => thread.ask("listeners"),
      stop: () => thread.stop(),
    };
  } catch (error) {
    await thread.stop();
    throw error;
  }
}
