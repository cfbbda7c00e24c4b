import { type ChildProcess, fork } from "node:child_process";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { ThreadEnded, type WorkThread } from "../work-thread.ts";
import type { KokoroClip, KokoroCommand, KokoroReply, KokoroWork } from "./kokoro-messages.ts";

/** It asks nobody, so that a process in the middle of a sentence is ended at once. */
const END_SIGNAL = "SIGKILL";

/** Calls under way come first: such a process gets what nobody else wants. */
export const RENDERING_PRIORITY = constants.priority.PRIORITY_LOW;

/** The outside of a rendering process. It is to a queue what a thread is. */
export class KokoroProcess implements WorkThread<KokoroWork, KokoroClip> {
  readonly #child: ChildProcess;
  readonly #ready = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  readonly #waiting = new Map<number, PromiseWithResolvers<KokoroClip>>();
  #nextId = 1;
  #hasEnded = false;

  private constructor(priority: number) {
    this.#child = fork(fileURLToPath(new URL("./kokoro-child.ts", import.meta.url)), [], {
      // Sound travels as it is, and not as text.
      serialization: "advanced",
      // It needs nothing from the environment, which holds the installation's keys.
      env: {},
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    // Before the network makes its threads, which inherit it.
    if (this.#child.pid !== undefined) setPriority(this.#child.pid, priority);
    this.#child.on("message", (reply: KokoroReply) => this.#hear(reply));
    this.#child.on("error", () => this.#abandon());
    this.#child.on("exit", () => this.#abandon());
  }

  /** Resolves when the network is loaded. Rejects with ThreadEnded when it cannot be. */
  static async open(priority: number = RENDERING_PRIORITY): Promise<KokoroProcess> {
    const opened = new KokoroProcess(priority);
    await opened.#ready.promise;
    return opened;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  run(work: KokoroWork): Promise<KokoroClip> {
    if (this.#hasEnded) return Promise.reject(new ThreadEnded("the rendering process ended"));
    const workId = this.#nextId++;
    const waiting = Promise.withResolvers<KokoroClip>();
    this.#waiting.set(workId, waiting);
    const command: KokoroCommand = { workId, work };
    // A channel that is already closed says so by the end of the process.
    if (this.#child.connected) this.#child.send(command, () => undefined);
    return waiting.promise;
  }

  async end(): Promise<void> {
    this.#child.kill(END_SIGNAL);
    await this.#exited.promise;
  }

  #hear(reply: KokoroReply): void {
    if (reply.type === "ready") {
      this.#ready.resolve();
      return;
    }
    const waiting = this.#waiting.get(reply.workId);
    this.#waiting.delete(reply.workId);
    if (reply.type === "rendered") waiting?.resolve(reply.clip);
    else waiting?.reject(new Error(reply.reason));
  }

  #abandon(): void {
    this.#hasEnded = true;
    const error = new ThreadEnded("the rendering process ended");
    this.#ready.reject(error);
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
    this.#exited.resolve();
  }
}
