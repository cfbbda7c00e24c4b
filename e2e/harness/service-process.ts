import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkDatabaseOf } from "./check-database.ts";
import { freePort } from "./free-port.ts";

export const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

/** Where Node keeps what it compiled: half of what a start costs, and the tests start the program a hundred times. */
export const COMPILED = { NODE_COMPILE_CACHE: join(REPOSITORY, "node_modules/.cache/parley-compiled") };

/** Names the bundle that the global setup built for this test run. Without it the service is started from its sources. */
export const BUNDLE_VARIABLE = "TEST_SERVICE_BUNDLE";

export interface ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly child: ChildProcess;
  /** Everything it has printed so far. */
  output(): string;
  /** Sends a signal and waits for the exit. The database of one that ends in an orderly way is checked before. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface StartOptions {
  readonly dataDir: string;
  /** An undefined setting is not passed at all. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly port?: number;
  /** False for a process without the api role: there is nothing to ask whether it is ready. */
  readonly waitForReady?: boolean;
  readonly readyWithinMs?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd?: string;
  /** Whether the sources are started, as `npm start` does, instead of their bundle. Those of another checkout always are. */
  readonly isFromSources?: boolean;
  /** Why its database is not checked when it ends, for a test that breaks it on purpose. */
  readonly unchecked?: string;
}

/** Starts the real program and waits until it answers that it is ready. */
export async function startService(options: StartOptions): Promise<ServiceProcess> {
  const port = options.port ?? (await freePort());
  const isFromSources = options.isFromSources ?? options.cwd !== undefined;
  const bundle = isFromSources ? undefined : process.env[BUNDLE_VARIABLE];
  const child = spawn(process.execPath, ["tools/run.mjs", bundle ?? "server/src/main.ts"], {
    cwd: options.cwd ?? REPOSITORY,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "/",
      ...COMPILED,
      PARLEY_PORT: String(port),
      PARLEY_DATA_DIR: options.dataDir,
      // Speech models cost seconds at each start. Tests of speech request them.
      PARLEY_CONVERSATION_THREADS: "0",
      // By default the service loads both models at each start and measures how fast they are.
      PARLEY_SPEECH_MODEL: "tiny",
      // Building the dashboard takes seconds too, and only its own tests need it.
      PARLEY_DASHBOARD: "off",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  });
  let printed = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const service: ServiceProcess = {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    child,
    output: () => printed,
    async end(signal = "SIGTERM") {
      const isOrderly =
        (signal === "SIGTERM" || signal === "SIGINT") && child.exitCode === null && child.signalCode === null;
      const checked = isOrderly ? await Promise.allSettled([checkDatabaseOf(options)]) : [];
      child.kill(signal);
      const [code, by] = await exited;
      for (const each of checked) if (each.status === "rejected") throw each.reason;
      return { code, signal: by };
    },
  };
  if (options.waitForReady !== false) await waitUntilReady(service, options.readyWithinMs ?? 60_000);
  return service;
}

/** Waits for /readyz, or throws with what the process printed. */
export async function waitUntilReady(service: ServiceProcess, withinMs: number): Promise<void> {
  const giveUpAtMs = Date.now() + withinMs;
  while (Date.now() < giveUpAtMs) {
    if (service.child.exitCode !== null)
      throw new Error(`the service ended with ${service.child.exitCode}:\n${service.output()}`);
    const ready = await fetch(`${service.url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the service was not ready within ${withinMs} ms:\n${service.output()}`);
}

/** What the first start printed, outside the log. */
export async function readFirstRun(
  service: ServiceProcess,
): Promise<{ key: string; agentId: string; claimToken: string }> {
  for (let tries = 0; tries < 600; tries += 1) {
    const printed = service.output();
    const key = /svc_test_[0-9A-Za-z]{38}/.exec(printed)?.[0];
    const agentId = /agt_[0-9a-z]{26}/.exec(printed)?.[0];
    const claimToken = /claim\?token=(lt_[0-9A-Za-z_-]+)/.exec(printed)?.[1];
    if (key && agentId && claimToken) return { key, agentId, claimToken };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the first start printed no key:\n${service.output()}`);
}
