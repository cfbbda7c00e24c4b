import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { WorkerSurroundings } from "./installation.ts";
import type { Program } from "./supervised-programs.ts";

const ENTRY_POINT = fileURLToPath(new URL("./naive-worker.ts", import.meta.url));

/** Starts the naive worker instead of a real one. */
export async function startNaiveWorker(surroundings: WorkerSurroundings): Promise<Program> {
  const { databaseUrl, network, serial } = surroundings;
  const args = [ENTRY_POINT, databaseUrl, network.host, String(network.port), String(serial)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  const keep = (chunk: Buffer) => {
    printed += chunk.toString();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return { child, output: () => printed };
}
