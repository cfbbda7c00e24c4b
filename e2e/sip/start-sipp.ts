import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../harness/free-port.ts";

export interface Sipp {
  readonly port: number;
  /** Resolves when the scenario is over: 0 means that everything came as it should. */
  readonly finished: Promise<{ readonly code: number | null; readonly errors: string }>;
  stop(): Promise<void>;
}

/** Starts a callee that plays one scenario once. */
export async function startSipp(scenarioText: string, transport: "udp" | "tcp" = "udp"): Promise<Sipp> {
  const folder = await mkdtemp(join(tmpdir(), "parley-sipp-"));
  const file = join(folder, "scenario.xml");
  const errorFile = join(folder, "errors.log");
  await writeFile(file, scenarioText);
  const port = await freePort();
  const options = ["-i", "127.0.0.1", "-p", String(port), "-m", "1", "-timeout", "40s", "-timeout_error", "-nostdin"];
  const tracing = ["-trace_err", "-error_file", errorFile, "-t", transport === "tcp" ? "t1" : "u1"];
  const child = spawn("sipp", ["-sf", file, ...options, ...tracing], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  const finished = exited.then(async ([code]) => {
    const errors = await readFile(errorFile, "utf8").catch(() => "");
    await rm(folder, { recursive: true, force: true });
    return { code, errors: `${printed}${errors}` };
  });
  if (transport === "tcp") await listening(port);
  return {
    port,
    finished,
    async stop() {
      child.kill("SIGKILL");
      await finished;
    },
  };
}

/** A datagram that comes too early is repeated; a connection is refused. */
async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await setTimeout(20);
  }
}
