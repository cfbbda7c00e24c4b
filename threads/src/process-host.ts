import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
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
  /**
   * A process that has work and used no processor time at all for this long is suspended or deadlocked, and is killed.
   * One that is only busy, or gets little of a busy machine, is not. By default, and where the system does not report processor
   * time, it is not noticed.
   */
  readonly stalledMs?: number | undefined;
  /** The processor time of a process in any unit; null if unknown. */
  readonly readProcessorTime?: (pid: number) => number | null;
}

const START_MAX_MS = 60_000;
const STALL_CHECKS = 3;

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
  readonly #options: ProcessHostOptions;
  #hasEnded = false;
  #hasWorked = false;
  #endReason = "ended";
  #cancelStallCheck: (() => void) | null = null;

  constructor(program: URL, options: ProcessHostOptions) {
    this.#name = options.name;
    this.#options = options;
    this.ready = this.#isReady.promise;
    this.ended = this.#exited.promise;
    this.#child = fork(fileURLToPath(program), options.args ?? [], {
      // Typed arrays are cloned instead of converted to JSON.
      serialization: "advanced",
      // It needs nothing else from the environment, which holds the installation's keys. The library of the models must
      // not report to its vendor.
      env: { ORT_DISABLE_TELEMETRY: "1" },
      execArgv: [],
      // Signals of the terminal go to the whole process group; the owner decides when this process ends.
      detached: true,
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
    if (this.#hasEnded) return Promise.reject(new HostEnded(`${this.#name} ${this.#endReason}`));
    const { workId, result } = this.#pending.add();
    this.#send({ type: "work", workId, work });
    if (this.#cancelStallCheck === null) this.#watchForStall(this.#readProcessorTime(), 0);
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

  /** Checks several times, so that a process is not killed for the time before it had work. */
  #watchForStall(lastTime: number | null, checks: number): void {
    const { timers, stalledMs } = this.#options;
    if (stalledMs === undefined || lastTime === null) return;
    this.#cancelStallCheck = timers.setTimer(stalledMs / STALL_CHECKS, () => {
      this.#cancelStallCheck = null;
      if (this.#pending.size === 0 || this.#hasEnded) return;
      const time = this.#readProcessorTime();
      const isStill = time === lastTime;
      if (!isStill || checks + 1 < STALL_CHECKS) return this.#watchForStall(time, isStill ? checks + 1 : 0);
      this.#endReason = `used no processor time for ${stalledMs} ms and was killed`;
      this.#child.kill(END_SIGNAL);
    });
  }

  #readProcessorTime(): number | null {
    const { readProcessorTime = readLinuxProcessorTime } = this.#options;
    return this.#child.pid === undefined ? null : readProcessorTime(this.#child.pid);
  }

  #onReply(reply: WorkReply<Result>): void {
    if (reply.type === "ready") {
      this.#isReady.resolve();
      return;
    }
    this.#hasWorked = true;
    this.#pending.settle(reply);
    if (this.#pending.size === 0) this.#stopStallCheck();
  }

  #stopStallCheck(): void {
    this.#cancelStallCheck?.();
    this.#cancelStallCheck = null;
  }

  #onEnd(): void {
    this.#hasEnded = true;
    this.#stopStallCheck();
    const error = new HostEnded(`${this.#name} ${this.#endReason}`);
    this.#isReady.reject(error);
    this.#pending.rejectAll(error);
    this.#exited.resolve();
  }
}

/** The fields after the program's name, which is in parentheses and may contain anything; see proc_pid_stat(5). */
const USER_TIME_FIELD = 11;
const SYSTEM_TIME_FIELD = 12;

function readLinuxProcessorTime(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(fields[USER_TIME_FIELD]) + Number(fields[SYSTEM_TIME_FIELD]);
  } catch {
    // Another operating system, or the process has just ended.
    return null;
  }
}
