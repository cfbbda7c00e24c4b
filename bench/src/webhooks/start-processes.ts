import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SECRET } from "../api/scene.ts";
import { compileCache, serviceProgram } from "../quick.ts";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

/** The service that answers requests and delivers. */
export async function startService(
  databaseUrl: string,
  dataDir: string,
  running: ChildProcess[],
  dashboard: "on" | "off" = "off",
) {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const child = spawn(process.execPath, ["tools/run.mjs", serviceProgram], {
    cwd: REPOSITORY,
    env: {
      PATH: process.env["PATH"] ?? "",
      ...compileCache,
      DATABASE_URL: databaseUrl,
      PARLEY_DATA_DIR: dataDir,
      PARLEY_PORT: String(port),
      PARLEY_ROLES: "api,jobs",
      PARLEY_RATE_LIMIT: "100000",
      PARLEY_SECRET: SECRET,
      PARLEY_OUTBOUND_ALLOW: "loopback",
      PARLEY_LOG_LEVEL: "warn",
      // Off by default: building it takes time from the measurement, and outlives a process that is killed.
      PARLEY_DASHBOARD: dashboard,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 1200; tries += 1) {
    const isReady = await fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isReady) return { url, pid: child.pid ?? 0 };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the service did not become ready");
}

/** A process that does nothing but send the same request repeatedly. */
export function startBareLoop(url: string, body: string, running: ChildProcess[]) {
  const entry = fileURLToPath(new URL("./post-loop.ts", import.meta.url));
  const child = spawn(process.execPath, [entry, url, body], { stdio: ["pipe", "pipe", "inherit"] });
  running.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Sends this many, and returns the microseconds of CPU per request. */
    async send(count: number): Promise<number> {
      child.stdin.write(`${count}\n`);
      const { value } = await lines.next();
      return Number(value);
    },
  };
}
