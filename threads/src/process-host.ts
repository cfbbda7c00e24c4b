import { type ChildProcess, fork } from "node:child_process";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Timers } from "@parley/time/clock";
import { HostEnded, PendingWork, type WorkHost, type WorkMessage, type WorkReply } from "./work-host.ts";

/** It cannot be caught, so a process stuck in a native call ends immediately. */
const END_SIGNAL = "SIGKILL";

export interface ProcessHostOptions {
  /** Used in error messages, such as "the rendering process". */
  readonly name: string;
  readonly timers: Timers;
  readonly args?: readonly string[];
  /** Niceness, as the operating system defines it: greater yields more. Default: the owner's. */
  readonly priority?: number | undefined;
  /** A program that is not ready after this time is killed. */
  readonly startMaxMs?: number;
}

const START_MAX_MS = 60_000;

/** A child process that runs `serveProcess`. It may be killed at any point, even inside an inference library. */
export class ProcessHost<Work, Result> implements WorkHost<Work, Result> {
  /** Resolves when the program is ready to work. Rejects with HostEnded when it ends before that. */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>;
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #pending = new PendingWork<Result>();
  readonly #isReady = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  #hasEnded = false;
  #hasWorked = false;

  constructor(program: URL, options: ProcessHostOptions) {
    this.#name = options.name;
    this.ready = this.#isReady.promise;
    this.ended = this.#exited.promise;
    this.#child = fork(fileURLToPath(program), options.args ?? [], {
      // Typed arrays are cloned instead of converted to JSON.
      serialization: "advanced",
      // It needs nothing from the environment, which holds the installation's keys.
      env: {},
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    // Set before the program starts its threads, which inherit it.
    if (this.#child.pid !== undefined && options.priority !== undefined) setPriority(this.#child.pid, options.priority);
    this.#child.on("message", (reply: WorkReply<Result>) => this.#onReply(reply));
    this.#child.on("error", () => this.#onEnd());
    this.#child.on("exit", () => this.#onEnd());
    const cancel = options.timers.setTimer(options.startMaxMs ?? START_MAX_MS, () => this.#child.kill(END_SIGNAL));
    this.ready.then(cancel, cancel);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** It has replied to work, so it is not a process that dies on every start. */
  get hasWorked(): boolean {
    return this.#hasWorked;
  }

  run(work: Work): Promise<Result> {
    if (this.#hasEnded) return Promise.reject(new HostEnded(`${this.#name} ended`));
    const { workId, result } = this.#pending.add();
    this.#send({ type: "work", workId, work });
    return result;
  }

  cancel(): void {
    for (const workId of this.#pending.ids) this.#send({ type: "cancel", workId });
  }

  async end(): Promise<void> {
    this.#child.kill(END_SIGNAL);
    await this.ended;
  }

  /** If the channel is already closed, the process is about to end, which rejects pending work. */
  #send(message: WorkMessage<Work>): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #onReply(reply: WorkReply<Result>): void {
    if (reply.type === "ready") {
      this.#isReady.resolve();
      return;
    }
    this.#hasWorked = true;
    this.#pending.settle(reply);
  }

  #onEnd(): void {
    this.#hasEnded = true;
    const error = new HostEnded(`${this.#name} ended`);
    this.#isReady.reject(error);
    this.#pending.rejectAll(error);
    this.#exited.resolve();
  }
}
