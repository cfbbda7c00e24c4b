import { type ChildProcess, fork } from "node:child_process";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Timers } from "@parley/time/clock";
import type { ProcessReply, ProcessWork } from "./process-messages.ts";
import { ThreadEnded, type WorkThread } from "./work-thread.ts";

/** It asks nobody, so that a process which does not end by itself is ended at once. */
const END_SIGNAL = "SIGKILL";

export interface WorkProcessOptions {
  /** As the operating system counts: the greater the number, the more others come first. By default the owner's. */
  readonly priority?: number;
  /** A program that is not ready after so long never will be. */
  readonly startMaxMs?: number;
}

const START_MAX_MS = 60_000;

/** The outside of a process that does one piece of work after the other. It is to a queue what a thread is. */
export class WorkProcess<Work, Result> implements WorkThread<Work, Result> {
  readonly #child: ChildProcess;
  readonly #name: string;
  /** Resolves when the program inside is ready to work. Rejects with ThreadEnded when it ends before that. */
  readonly ready: Promise<void>;
  readonly #isReady = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  readonly #waiting = new Map<number, PromiseWithResolvers<Result>>();
  #nextId = 1;
  #hasEnded = false;

  constructor(name: string, program: URL, timers: Timers, options: WorkProcessOptions = {}) {
    this.#name = name;
    this.ready = this.#isReady.promise;
    this.#child = fork(fileURLToPath(program), [], {
      // Numbers and sound travel as they are, and not as text.
      serialization: "advanced",
      // It needs nothing from the environment, which holds the installation's keys.
      env: {},
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    // Before the program makes its threads, which inherit it.
    if (this.#child.pid !== undefined && options.priority !== undefined) setPriority(this.#child.pid, options.priority);
    this.#child.on("message", (reply: ProcessReply<Result>) => this.#hear(reply));
    this.#child.on("error", () => this.#abandon());
    this.#child.on("exit", () => this.#abandon());
    const cancel = timers.setTimer(options.startMaxMs ?? START_MAX_MS, () => this.#child.kill(END_SIGNAL));
    this.ready.then(cancel, cancel);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  run(work: Work): Promise<Result> {
    if (this.#hasEnded) return Promise.reject(new ThreadEnded(`${this.#name} ended`));
    const workId = this.#nextId++;
    const waiting = Promise.withResolvers<Result>();
    this.#waiting.set(workId, waiting);
    const command: ProcessWork<Work> = { workId, work };
    // A channel that is already closed says so by the end of the process.
    if (this.#child.connected) this.#child.send(command, () => undefined);
    return waiting.promise;
  }

  async end(): Promise<void> {
    this.#child.kill(END_SIGNAL);
    await this.#exited.promise;
  }

  #hear(reply: ProcessReply<Result>): void {
    if (reply.type === "ready") {
      this.#isReady.resolve();
      return;
    }
    const waiting = this.#waiting.get(reply.workId);
    this.#waiting.delete(reply.workId);
    if (reply.type === "done") waiting?.resolve(reply.result);
    else waiting?.reject(new Error(reply.reason));
  }

  #abandon(): void {
    this.#hasEnded = true;
    const error = new ThreadEnded(`${this.#name} ended`);
    this.#isReady.reject(error);
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
    this.#exited.resolve();
  }
}
