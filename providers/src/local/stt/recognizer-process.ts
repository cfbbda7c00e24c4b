import { type ChildProcess, fork } from "node:child_process";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import { ThreadEnded, type WorkThread } from "../work-thread.ts";
import type { MoonshineSize } from "./moonshine-weights.ts";
import type { UtteranceWork } from "./recognize-utterance.ts";
import type { RecognizerCommand, RecognizerReply } from "./recognizer-messages.ts";

/** It asks nobody, so that a process which does not end by itself is ended at once. */
const END_SIGNAL = "SIGKILL";

/** The outside of a recognizing process. It is to a queue what a thread is. */
export class RecognizerProcess implements WorkThread<UtteranceWork, Recognition | null> {
  readonly #child: ChildProcess;
  readonly #ready = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  readonly #waiting = new Map<number, PromiseWithResolvers<Recognition | null>>();
  #nextId = 1;
  #hasEnded = false;
  #hasWorked = false;

  private constructor(size: MoonshineSize, priority: number | undefined) {
    this.#child = fork(fileURLToPath(new URL("./recognizer-child.ts", import.meta.url)), [size], {
      // Sound travels as it is, and not as text.
      serialization: "advanced",
      // It needs nothing from the environment, which holds the installation's keys.
      env: {},
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    // Before the program makes its threads, which inherit it.
    if (this.#child.pid !== undefined && priority !== undefined) setPriority(this.#child.pid, priority);
    this.#child.on("message", (reply: RecognizerReply) => this.#hear(reply));
    this.#child.on("error", () => this.#abandon());
    this.#child.on("exit", () => this.#abandon());
  }

  /**
   * Resolves when the networks are loaded. Rejects with ThreadEnded when they cannot be. `priority` is as the operating
   * system counts, the owner's by default.
   */
  static async open(size: MoonshineSize, priority?: number): Promise<RecognizerProcess> {
    const opened = new RecognizerProcess(size, priority);
    await opened.#ready.promise;
    return opened;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** It has recognized something, so that it is no process that dies of its own beginning. */
  get hasWorked(): boolean {
    return this.#hasWorked;
  }

  /** Resolves when it has ended, whyever. */
  get ended(): Promise<void> {
    return this.#exited.promise;
  }

  run(work: UtteranceWork): Promise<Recognition | null> {
    if (this.#hasEnded) return Promise.reject(new ThreadEnded("the recognizing process ended"));
    const workId = this.#nextId++;
    const waiting = Promise.withResolvers<Recognition | null>();
    this.#waiting.set(workId, waiting);
    this.#tell({ type: "recognize", workId, work });
    return waiting.promise;
  }

  cancel(): void {
    for (const workId of this.#waiting.keys()) this.#tell({ type: "cancel", workId });
  }

  async end(): Promise<void> {
    this.#child.kill(END_SIGNAL);
    await this.#exited.promise;
  }

  #tell(command: RecognizerCommand): void {
    // A channel that is already closed says so by the end of the process.
    if (this.#child.connected) this.#child.send(command, () => undefined);
  }

  #hear(reply: RecognizerReply): void {
    if (reply.type === "ready") {
      this.#ready.resolve();
      return;
    }
    const waiting = this.#waiting.get(reply.workId);
    this.#waiting.delete(reply.workId);
    this.#hasWorked = true;
    if (reply.type === "recognized") waiting?.resolve(reply.recognition);
    else waiting?.reject(new Error(reply.reason));
  }

  #abandon(): void {
    this.#hasEnded = true;
    const error = new ThreadEnded("the recognizing process ended");
    this.#ready.reject(error);
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
    this.#exited.resolve();
  }
}
