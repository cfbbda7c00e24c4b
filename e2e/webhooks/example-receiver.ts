import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { until } from "../harness/api-client.ts";
import { REPOSITORY } from "../harness/service-process.ts";

export interface FollowedChild {
  readonly child: ChildProcess;
  lines(): string[];
  /** Waits for a line, or fails with all lines. */
  untilLine(pattern: RegExp, withinMs?: number): Promise<string>;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program of this repository and follows its output. */
export function follow(args: readonly string[], env: Readonly<Record<string, string>>): FollowedChild {
  const child = spawn(process.execPath, args, {
    cwd: REPOSITORY,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "/", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const lines = () => printed.split("\n").filter(Boolean);
  const exited = once(child, "exit");
  return {
    child,
    lines,
    async untilLine(pattern, withinMs = 30_000) {
      const seen = await until(
        async () => lines(),
        (all) => all.some((line) => pattern.test(line)),
        withinMs,
      );
      return seen.find((line) => pattern.test(line)) ?? "";
    },
    async end(signal = "SIGTERM") {
      child.kill(signal);
      await exited;
    },
  };
}

/** The receiver of `examples/`, as its reader would start it. */
export async function startExampleReceiver(secret: string, port: number): Promise<FollowedChild> {
  const receiver = follow(["examples/webhook-receiver/receive.mjs"], { WEBHOOK_SECRET: secret, PORT: String(port) });
  await receiver.untilLine(/^listening on /);
  return receiver;
}
