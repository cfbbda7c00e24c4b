import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { isQuick } from "../quick.ts";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAM = join(REPOSITORY, "node_modules/graphile-worker/dist/cli.js");
const JOBS = isQuick ? 100 : 8_000;
const WITHIN_MS = 60_000;

// As in its own benchmarks: jobs are fetched in hundreds, and completed in batches.
const SETTINGS = {
  concurrentJobs: 24,
  maxPoolSize: 25,
  pollInterval: 2_000,
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
  localQueue: { size: 500, refetchDelay: { durationMs: 10 } },
};

/** How many empty jobs a second graphile-worker processes, with its local queue, in this many processes. */
export async function measureReferenceQueue(url: string, folder: string, processes: number): Promise<number> {
  const place = join(folder, `queue-${processes}-${Date.now()}`);
  await mkdir(join(place, "tasks"), { recursive: true });
  await writeFile(join(place, "tasks", "nothing.mjs"), "export default async () => undefined;\n");
  const worker = { ...SETTINGS, connectionString: url, taskDirectory: join(place, "tasks") };
  const config = join(place, "graphile.config.mjs");
  await writeFile(config, `export default ${JSON.stringify({ worker })};\n`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const running: ChildProcess[] = [];
  try {
    await runToEnd(["--config", config, "--schema-only"], place);
    for (let count = 0; count < processes; count += 1) running.push(await startWorker(config, place));
    await client.query(
      `select graphile_worker.add_jobs(array(
         select json_populate_record(null::graphile_worker.job_spec, '{"identifier":"nothing","payload":{}}')
         from generate_series(1, $1::int)))`,
      [JOBS],
    );
    const startedMs = performance.now();
    while ((await countJobs(client)) > 0) {
      if (performance.now() - startedMs > WITHIN_MS) throw new Error("graphile-worker does not get through its jobs");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return (JOBS * 1000) / (performance.now() - startedMs);
  } finally {
    for (const child of running) {
      // The exit of one that has crashed was emitted before.
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    }
    await client.query("drop schema if exists graphile_worker cascade");
    await client.end();
  }
}

async function countJobs(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>("select count(*)::int as n from graphile_worker._private_jobs");
  return rows[0]?.n ?? 0;
}

function start(args: readonly string[], cwd: string): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
}

async function runToEnd(args: readonly string[], cwd: string): Promise<void> {
  const child = start(args, cwd);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`graphile-worker ended with ${code}: ${said.join("")}`);
}

/** Resolves when it reports that it looks for jobs. */
async function startWorker(config: string, cwd: string): Promise<ChildProcess> {
  const child = start(["--config", config], cwd);
  let said = "";
  const isReady = Promise.withResolvers<void>();
  const hear = (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes("looking for jobs")) isReady.resolve();
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  child.once("exit", (code) => isReady.reject(new Error(`graphile-worker ended with ${code}: ${said}`)));
  const timer = setTimeout(() => isReady.reject(new Error(`graphile-worker did not start: ${said}`)), WITHIN_MS);
  try {
    await isReady.promise;
  } finally {
    clearTimeout(timer);
  }
  return child;
}
