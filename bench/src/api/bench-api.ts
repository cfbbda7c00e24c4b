import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startEmbeddedPostgres } from "@parley/server/platform/database/embedded/start-embedded-postgres";
import { migrate } from "@parley/server/platform/database/migrate";
import pg from "pg";
import type { Goal } from "../goals.ts";
import { type LoadResult, load, type Shot } from "../load.ts";
import { cpuSeconds } from "../process-figures.ts";
import { compileCache, isQuick, serviceProgram } from "../quick.ts";
import { median, percentile } from "../statistics.ts";
import { compareCrowdedAccounts } from "./crowded-accounts.ts";
import { measureHostileBodies } from "./hostile-bodies.ts";
import { measureIdle } from "./idle.ts";
import { fillCalls, type Scene, SECRET, setScene } from "./scene.ts";

const ROUNDS = isQuick ? 1 : 5;
const POSTS_PER_ROUND = isQuick ? 40 : 1500;
const LISTS_PER_ROUND = isQuick ? 20 : 600;
const CONNECTIONS = 16;
const WARM_UP_REQUESTS = isQuick ? 20 : 500;
const CROWDED_REQUESTS = isQuick ? 60 : 2000;
const LIST_SIZES = isQuick ? [100, 1000] : [1000, 1_000_000];
// How long a start takes is measured at rest; here the machine may be busy.
const READY_WITHIN_MS = 120_000;
const POOL = "16";
const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const log = { info: () => undefined, warn: () => undefined, error: console.error };

/** `POST /calls` against bare node:http with the same SQL; `GET /calls` on a long list; bad keys; bodies that are costly to refuse; memory and size at rest. */
export async function benchApi(): Promise<Goal[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-bench-"));
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const running: ChildProcess[] = [];
  try {
    await migrate(postgres.url);
    const scene = await setScene(postgres.url);
    const service = await startService(postgres.url, dataDir, running);
    const bare = await startBare(postgres.url, scene, running);
    const posts = await comparePosts(service, bare, scene);
    const crowds = await compareCrowdedAccounts(service.port, postgres.url);
    const lists = await compareLists(postgres.url, dataDir, running);
    const badKeys = await countQueriesOfBadKeys(service, postgres.url);
    const hostile = await measureHostileBodies(service.port, scene.key);
    for (const child of running) child.kill("SIGTERM");
    return [...posts, ...crowds, ...lists, ...badKeys, ...hostile, ...(await measureIdle(REPOSITORY))];
  } finally {
    for (const child of running) child.kill("SIGKILL");
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Server {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
}

async function comparePosts(service: Server, bare: Server, scene: Scene): Promise<Goal[]> {
  let count = 0;
  const shot = (): Shot => ({
    method: "POST",
    path: "/api/v1/calls",
    headers: {
      authorization: `Bearer ${scene.key}`,
      "content-type": "application/json",
      "idempotency-key": `bench-${count++}`,
    },
    body: JSON.stringify({ phoneNumber: "+15550100001", agentId: scene.agentId, engine: "local" }),
  });
  const cpuMicros = new Map<Server, number[]>([
    [service, []],
    [bare, []],
  ]);
  for (const server of [service, bare]) await load(server.port, WARM_UP_REQUESTS, CONNECTIONS, shot);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const server of round % 2 === 0 ? [service, bare] : [bare, service]) {
      const before = cpuSeconds(server.pid);
      refuseFailures(await load(server.port, POSTS_PER_ROUND, CONNECTIONS, shot), server.name);
      cpuMicros.get(server)?.push(((cpuSeconds(server.pid) - before) * 1e6) / POSTS_PER_ROUND);
    }
  }
  console.log("\nPOST /api/v1/calls, CPU of the server process per request (µs), interleaved rounds");
  for (const [server, values] of cpuMicros)
    console.log(
      `  ${server.name.padEnd(10)} ${values.map((value) => value.toFixed(0).padStart(6)).join("")}   median ${median(values).toFixed(0)}`,
    );
  for (const server of [service, bare]) {
    const crowded = await load(server.port, CROWDED_REQUESTS, 50, shot);
    refuseFailures(crowded, server.name);
    const [p50, p99] = [percentile(crowded.latenciesMs, 50), percentile(crowded.latenciesMs, 99)];
    console.log(
      `  ${server.name.padEnd(10)} 50 connections: ${(crowded.requests / crowded.seconds).toFixed(0)} requests/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    );
  }
  return [
    {
      name: "post_cpu_ratio",
      value: median(cpuMicros.get(service) ?? []) / median(cpuMicros.get(bare) ?? []),
      max: 1.6,
      unit: "x",
    },
  ];
}

/** Two services on two databases of one PostgreSQL, asked in turns: one table is a thousand times as long as the other. */
async function compareLists(url: string, dataDir: string, running: ChildProcess[]): Promise<Goal[]> {
  const sides = [];
  for (const calls of LIST_SIZES) {
    const ownUrl = await createDatabase(url, `list_${calls}`);
    await migrate(ownUrl);
    const scene = await setScene(ownUrl);
    await fillCalls(ownUrl, scene, calls);
    const service = await startService(ownUrl, dataDir, running);
    const shot = (): Shot => ({
      method: "GET",
      path: "/api/v1/calls",
      headers: { authorization: `Bearer ${scene.key}` },
    });
    await load(service.port, WARM_UP_REQUESTS, 4, shot);
    sides.push({ calls, service, shot, p99s: [] as number[] });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { service, shot, p99s } of round % 2 === 0 ? sides : sides.toReversed()) {
      const result = await load(service.port, LISTS_PER_ROUND, 4, shot);
      refuseFailures(result, service.name);
      p99s.push(percentile(result.latenciesMs, 99));
    }
  }
  console.log("\nGET /api/v1/calls, p99 in ms, 4 connections, interleaved rounds");
  for (const { calls, p99s } of sides) {
    console.log(`  ${String(calls).padStart(9)} calls in the table: ${figures(p99s, 1)}`);
  }
  const [few = Number.NaN, many = Number.NaN] = sides.map(({ p99s }) => median(p99s));
  return [{ name: "list_p99_ratio", value: many / few, max: 3, unit: "x" }];
}

const figures = (values: readonly number[], digits: number) =>
  `${values.map((value) => value.toFixed(digits).padStart(7)).join("")}   median ${median(values).toFixed(digits)}`;

async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

async function countQueriesOfBadKeys(service: Server, url: string): Promise<Goal[]> {
  const bad = `svc_live_${"A".repeat(38)}`;
  const before = await committed(url);
  const result = await load(service.port, 1000, 4, () => ({
    method: "GET",
    path: "/api/v1/calls",
    headers: { authorization: `Bearer ${bad}` },
  }));
  const after = await committed(url);
  console.log(
    `\n1000 requests with a bad checksum: ${result.failures} refused, ${after - before} transactions of the service on the database`,
  );
  return [{ name: "bad_key_queries_per_1000", value: after - before, max: 20 }];
}

/** Transactions so far. A few come from the statistics themselves and from the service's own housekeeping. */
async function committed(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await new Promise((resolve) => setTimeout(resolve, 1200));
  const { rows } = await client.query(
    "select xact_commit::int as count from pg_stat_database where datname = current_database()",
  );
  await client.end();
  return rows[0].count;
}

async function startService(url: string, dataDir: string, running: ChildProcess[]): Promise<Server> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const child = spawn(process.execPath, ["tools/run.mjs", serviceProgram], {
    cwd: REPOSITORY,
    env: {
      PATH: process.env["PATH"] ?? "",
      ...compileCache,
      DATABASE_URL: url,
      PARLEY_DATA_DIR: dataDir,
      PARLEY_PORT: String(port),
      PARLEY_ROLES: "api",
      PARLEY_RATE_LIMIT: "100000",
      PARLEY_CHARGE_SIMULATED_CALLS: "on",
      PARLEY_SECRET: SECRET,
      PARLEY_DATABASE_CONNECTIONS: POOL,
      PARLEY_LOG_LEVEL: "warn",
      // Building it takes time from the measurement, and outlives a process that is killed.
      PARLEY_DASHBOARD: "off",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.push(child);
  const startedMs = performance.now();
  while (child.exitCode === null && performance.now() - startedMs < READY_WITHIN_MS) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isReady) return { name: "parley", port, pid: child.pid ?? 0 };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the service did not become ready");
}

async function startBare(url: string, scene: Scene, running: ChildProcess[]): Promise<Server> {
  const entry = fileURLToPath(new URL("./bare-server.ts", import.meta.url));
  const child = spawn(process.execPath, [entry, url, scene.accountId, scene.keyId, POOL], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    return { name: "node:http", port: (JSON.parse(line) as { port: number }).port, pid: child.pid ?? 0 };
  }
  throw new Error("the reference did not start");
}

function refuseFailures(result: LoadResult, name: string): void {
  if (result.failures > 0) throw new Error(`${name}: ${result.failures} of ${result.requests} requests failed`);
}
