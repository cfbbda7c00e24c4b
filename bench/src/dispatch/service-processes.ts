import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { SECRET } from "../api/scene.ts";
import { compileCache, serviceProgram } from "../quick.ts";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
// More than a bench ever queues: the measurement is not about how soon calls make room for others.
const CALL_SLOTS = "10000";

export interface ServiceOptions {
  readonly role: "api" | "calls" | "jobs";
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** host:port of the simulated network. */
  readonly network: string;
}

export interface RunningService {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the real program in one role and waits until it says that it is ready. */
export async function startProcess({ role, databaseUrl, dataDir, network }: ServiceOptions): Promise<RunningService> {
  const port = await freePorts(1);
  const child = spawn(process.execPath, ["tools/run.mjs", serviceProgram], {
    cwd: REPOSITORY,
    env: {
      PATH: process.env["PATH"] ?? "",
      ...compileCache,
      DATABASE_URL: databaseUrl,
      PARLEY_DATA_DIR: dataDir,
      PARLEY_PORT: String(port),
      PARLEY_ROLES: role,
      PARLEY_RATE_LIMIT: "100000",
      PARLEY_SECRET: SECRET,
      PARLEY_SIMULATED_NETWORK: network,
      PARLEY_CONVERSATION_THREADS: "0",
      PARLEY_CALL_SLOTS: CALL_SLOTS,
      // Building it takes time from the measurement, and outlives a process that is killed.
      PARLEY_DASHBOARD: "off",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await untilReady(child);
  return {
    port,
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error("the service has no output");
  const lines = createInterface({ input: child.stdout });
  const said: string[] = [];
  for await (const line of lines) {
    said.push(line);
    if (line.includes('"msg":"ready"')) {
      // What it prints from here on must not fill the pipe.
      child.stdout.resume();
      return;
    }
  }
  throw new Error(`the service did not become ready:\n${said.join("\n")}`);
}
