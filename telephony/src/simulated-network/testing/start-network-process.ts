import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface NetworkProcess {
  readonly host: string;
  readonly port: number;
  /** Suspends the process with its connections open, until it is killed. */
  pause(): void;
  /** Ends the process, by default as the machine's sudden death would, and resolves when it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const ENTRY_POINT = fileURLToPath(new URL("../network-process.ts", import.meta.url));

/** A process that still holds something open after this long is a failure and not a reason to wait. */
const EXIT_MAX_MS = 5_000;

/** Starts a simulated network in a separate process, which ends with this one at the latest. */
export async function startNetworkProcess(options: NetworkProcessOptions): Promise<NetworkProcess> {
  const { speed, port = 0, audio = false } = options;
  const args = [ENTRY_POINT, "--port", String(port), "--speed", String(speed), "--until-stdin-ends"];
  if (!audio) args.push("--no-audio");
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const { listening } = JSON.parse(await firstLine(child)) as { listening: number };
  return {
    host: "127.0.0.1",
    port: listening,
    pause() {
      child.kill("SIGSTOP");
    },
    async kill(signal = "SIGKILL") {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill(signal);
      const timer = setTimeout(() => child.kill("SIGKILL"), EXIT_MAX_MS);
      const [, lastSignal] = await exited;
      clearTimeout(timer);
      if (lastSignal === "SIGKILL" && signal !== "SIGKILL") throw new Error(`The network process ignored ${signal}.`);
    },
  };
}

export interface NetworkProcessOptions {
  readonly speed: number;
  readonly port?: number;
  /** Only at the speed of 1. Tests that count what was dialed do without. */
  readonly audio?: boolean;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("The network process has no output.");
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("The network process ended before it was listening.");
}
