import { type ChildProcessByStdio, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** A program that communicates in lines and ends with its input. */
export interface Program {
  readonly pid: number;
  write(text: string): void;
  /** Rejects when the program ends instead. */
  nextLine(): Promise<string>;
  /** Ends its input and resolves when it is gone. */
  end(): Promise<void>;
  kill(): void;
}

/** On a machine with more than one core, programs may be pinned to one of them. */
export type Core = 0 | 1 | null;

export function startProgram(command: string, args: readonly string[], core: Core): Program {
  const isPinned = core !== null && availableParallelism() > 1;
  const child: ChildProcessByStdio<Writable, Readable, null> = isPinned
    ? spawn("taskset", ["-c", String(core), command, ...args], { stdio: ["pipe", "pipe", "inherit"] })
    : spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = new Promise<void>((resolve, reject) => {
    child.once("exit", () => resolve());
    child.once("error", reject);
  });
  // A program that died does not read its remaining input.
  child.stdin.on("error", () => undefined);
  return {
    pid: child.pid ?? 0,
    write: (text) => void child.stdin.write(text),
    async nextLine() {
      const next = await lines.next();
      if (next.done) throw new Error(`${command} ended before it was done`);
      return next.value;
    },
    async end() {
      child.stdin.end();
      await exited;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}
