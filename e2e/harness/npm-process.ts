import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ServiceProcess } from "./service-process.ts";

export interface NpmOptions {
  readonly cwd: string;
  readonly port: number;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Starts `npm start` as a person at a terminal does: with nothing in the environment but PATH, HOME and the given
 * variables, in a separate process group. A signal goes to the whole group, as Ctrl-C does.
 */
export function startNpm({ cwd, port, home, env, uid, gid }: NpmOptions): ServiceProcess {
  const child = spawn("npm", ["start"], {
    cwd,
    env: { PATH: shellPath(), HOME: home ?? process.env["HOME"] ?? "/", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  let printed = "";
  const keep = (chunk: Buffer) => {
    printed += chunk.toString();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const pid = child.pid ?? 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid,
    child,
    output: () => printed,
    async end(signal = "SIGINT") {
      process.kill(-pid, signal);
      const [code, by] = await exited;
      return { code, signal: by };
    },
  };
}

/** The path of the shell, without what npm put before it for the tests themselves. */
export function shellPath(): string {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.filter((folder) => !folder.includes("node_modules")).join(":");
}
