import { execFileSync, spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Goal } from "../goals.ts";
import { treeMemoryMiB } from "../process-figures.ts";
import { compileCache, isQuick, serviceProgram } from "../quick.ts";

const SETTLE_MS = isQuick ? 0 : 5000;

/**
 * Prints how much memory the whole service uses at rest, embedded database included, and the size of an installation.
 */
export async function measureIdle(repository: string): Promise<Goal[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-bench-"));
  await chmod(dataDir, 0o711);
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const child = spawn(process.execPath, ["tools/run.mjs", serviceProgram], {
    cwd: repository,
    env: {
      PATH: process.env["PATH"] ?? "",
      ...compileCache,
      PARLEY_DATA_DIR: dataDir,
      PARLEY_PORT: String(port),
      PARLEY_LOG_LEVEL: "warn",
      ...(isQuick ? { PARLEY_CONVERSATION_THREADS: "0", PARLEY_DASHBOARD: "off" } : {}),
    },
    stdio: "ignore",
  });
  try {
    const startedMs = performance.now();
    while (
      !(await fetch(`http://127.0.0.1:${port}/readyz`).then(
        (reply) => reply.ok,
        () => false,
      ))
    ) {
      if (performance.now() - startedMs > 120_000) throw new Error("the service did not become ready");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const readySeconds = (performance.now() - startedMs) / 1000;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const node = treeMemoryMiB(child.pid ?? 0);
    const postgres = treeMemoryMiB(await postmasterPid(dataDir));
    const size = execFileSync("du", ["-sm", join(repository, "node_modules")], { encoding: "utf8" }).split("\t")[0];
    console.log(`\nFirst start to ready: ${readySeconds.toFixed(1)} s`);
    console.log(
      `Idle memory: service ${node.toFixed(0)} MiB, embedded PostgreSQL ${postgres.toFixed(0)} MiB, together ${(node + postgres).toFixed(0)} MiB`,
    );
    console.log(`node_modules: ${size} MiB`);
    return [{ name: "first_start_seconds", value: readySeconds, max: 10, unit: " s" }];
  } finally {
    child.kill("SIGINT");
    await new Promise((resolve) => child.once("exit", resolve));
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function postmasterPid(dataDir: string): Promise<number> {
  const found = (await readdir(dataDir, { recursive: true })).find((name) => name.endsWith("postmaster.pid"));
  if (!found) throw new Error("no embedded PostgreSQL runs");
  return Number((await readFile(join(dataDir, found), "utf8")).split("\n")[0]);
}
