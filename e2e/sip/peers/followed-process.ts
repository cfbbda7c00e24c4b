import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createConditions } from "../conditions.ts";

export interface FollowedProcess {
  /** Everything it printed so far. */
  readonly output: () => string;
  /** Resolves with the match once what it printed matches; rejects with what it printed when it exits before. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Resolves with its exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Ends it immediately. */
  kill(): Promise<void>;
  /** Asks it to exit, and kills it when it does not. Harmless when it has already exited. */
  stop(): Promise<void>;
}

export interface ProcessPlan {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** How long a program may take to exit. */
const LEAVING_MS = 2_000;

/** A test run that ends abruptly takes its peers with it. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a third-party program and reads its output, so that no one has to guess when it is ready. */
export function followProcess({ program, args, cwd }: ProcessPlan): FollowedProcess {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let hasExited = false;
  const conditions = createConditions();
  const take = (chunk: Buffer) => {
    output += chunk.toString("latin1");
    conditions.happened();
  };
  running.add(child);
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const exited = (once(child, "close") as Promise<[number | null]>).then(
    ([code]) => code,
    (error: unknown) => {
      output += String(error);
      return -1;
    },
  );
  void exited.then(() => {
    hasExited = true;
    running.delete(child);
    conditions.happened();
  });
  return {
    output: () => output,
    exited,
    async printed(pattern) {
      await conditions.until(
        () => pattern.test(output) || hasExited,
        () => `${pattern} from ${program}, which printed: ${output}`,
      );
      const match = output.match(pattern);
      if (match === null) throw new Error(`${program} left before it printed ${pattern}:\n${output}`);
      return match;
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async stop() {
      if (hasExited) return;
      child.kill("SIGTERM");
      const insist = setTimeout(() => child.kill("SIGKILL"), LEAVING_MS);
      await exited;
      clearTimeout(insist);
    },
  };
}
