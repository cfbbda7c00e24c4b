import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A program of this folder in its own process. Its messages are consumed in order. */
export class Child<Command extends object, Notice extends { readonly type: string }> {
  readonly #process: ChildProcess;
  readonly #listeners = new Set<(notice: Notice) => void>();
  readonly #exited: Promise<void>;

  /** `preload` runs first in each of its threads. */
  constructor(file: string, args: readonly string[] = [], preload: string | null = null) {
    const execArgv = preload === null ? [] : ["--import", new URL(preload, import.meta.url).href];
    const program = fileURLToPath(new URL(file, import.meta.url));
    this.#process = fork(program, [...args], {
      serialization: "advanced",
      execArgv: [...process.execArgv, ...execArgv],
    });
    this.#exited = new Promise((resolve) => this.#process.once("exit", () => resolve()));
    this.#process.on("message", (notice) => {
      for (const listener of this.#listeners) listener(notice as Notice);
    });
  }

  get pid(): number {
    if (this.#process.pid === undefined) throw new Error("the process could not be started");
    return this.#process.pid;
  }

  tell(command: Command): void {
    if (this.#process.connected) this.#process.send(command);
  }

  /** The returned function stops listening. */
  listen(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The next notice of a type. Rejects when the process ends before. */
  next<Type extends Notice["type"]>(type: Type): Promise<Extract<Notice, { type: Type }>> {
    return new Promise((resolve, reject) => {
      const listener = (notice: Notice) => {
        if (notice.type !== type) return;
        this.#listeners.delete(listener);
        resolve(notice as Extract<Notice, { type: Type }>);
      };
      this.#listeners.add(listener);
      void this.#exited.then(() => reject(new Error(`the process ended before it said ${type}`)));
    });
  }

  /** Resolves when it has ended, which it was told to before. */
  async ended(withinMs = 10_000): Promise<void> {
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), withinMs);
    await this.#exited;
    clearTimeout(timer);
  }
}
