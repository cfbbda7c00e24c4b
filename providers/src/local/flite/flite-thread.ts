import { Worker } from "node:worker_threads";
import { ThreadEnded, type WorkThread } from "../work-thread.ts";
import type { Clause } from "./render-clause.ts";
import type { WasmModule } from "./web-assembly.ts";

export interface FliteWork {
  readonly workId: number;
  readonly clause: Clause;
}

export type FliteReply =
  | { readonly workId: number; readonly samples: Int16Array }
  | { readonly workId: number; readonly failure: string };

/** The outside of a thread that speaks. The compiled program is shared with it, not copied. */
export class FliteThread implements WorkThread<Clause, Int16Array> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<Int16Array>>();
  #nextId = 1;
  #hasEnded = false;
  #reason = "the speaking thread ended";

  constructor(module: WasmModule) {
    this.#worker = new Worker(new URL("./flite-worker.ts", import.meta.url), {
      name: "flite",
      workerData: { module },
      // It needs nothing from the environment, which holds the installation's keys.
      env: {},
    });
    this.#worker.on("message", (reply: FliteReply) => this.#hear(reply));
    this.#worker.on("error", (error) => {
      this.#reason = error instanceof Error ? error.message : String(error);
    });
    this.#worker.on("exit", () => this.#abandon());
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  run(clause: Clause): Promise<Int16Array> {
    if (this.#hasEnded) return Promise.reject(new ThreadEnded(this.#reason));
    const workId = this.#nextId++;
    const waiting = Promise.withResolvers<Int16Array>();
    this.#waiting.set(workId, waiting);
    const work: FliteWork = { workId, clause };
    this.#worker.postMessage(work);
    return waiting.promise;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #hear(reply: FliteReply): void {
    const waiting = this.#waiting.get(reply.workId);
    this.#waiting.delete(reply.workId);
    if ("samples" in reply) waiting?.resolve(reply.samples);
    else waiting?.reject(new Error(reply.failure));
  }

  #abandon(): void {
    this.#hasEnded = true;
    for (const waiting of this.#waiting.values()) waiting.reject(new ThreadEnded(this.#reason));
    this.#waiting.clear();
  }
}
