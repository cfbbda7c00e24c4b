import { Worker } from "node:worker_threads";
import { HostEnded, PendingWork, type WorkHost, type WorkMessage, type WorkReply } from "./work-host.ts";

export interface WorkerHostOptions {
  /** Shown by debuggers and profilers. */
  readonly name: string;
  readonly workerData?: unknown;
  /** Does not keep the program from ending. */
  readonly isUnreferenced?: boolean;
}

/**
 * A worker thread that runs `serveWorker`. Only for code that may be terminated anywhere: a thread terminated inside
 * a call to an inference library aborts the whole process, so networks run in a process or in a service thread.
 */
export class WorkerHost<Work, Result> implements WorkHost<Work, Result> {
  readonly #worker: Worker;
  readonly #pending = new PendingWork<Result>();
  #hasEnded = false;
  #reason: string;

  constructor(program: URL, { name, workerData, isUnreferenced = false }: WorkerHostOptions) {
    this.#reason = `the thread ${name} ended`;
    // It needs nothing from the environment, which holds the installation's keys.
    this.#worker = new Worker(program, { name, workerData, env: {} });
    this.#worker.on("message", (reply: WorkReply<Result>) => {
      if (reply.type !== "ready") this.#pending.settle(reply);
    });
    this.#worker.on("error", (error) => {
      this.#reason = error instanceof Error ? error.message : String(error);
    });
    this.#worker.on("exit", () => {
      this.#hasEnded = true;
      this.#pending.rejectAll(new HostEnded(this.#reason));
    });
    if (isUnreferenced) this.#worker.unref();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  run(work: Work): Promise<Result> {
    if (this.#hasEnded) return Promise.reject(new HostEnded(this.#reason));
    const { workId, result } = this.#pending.add();
    this.#worker.postMessage({ type: "work", workId, work } satisfies WorkMessage<Work>);
    return result;
  }

  cancel(): void {
    for (const workId of this.#pending.ids) {
      this.#worker.postMessage({ type: "cancel", workId } satisfies WorkMessage<Work>);
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
