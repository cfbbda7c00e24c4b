import { chmod, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase, run } from "@parley/server/platform/database/database";
import { migrate } from "@parley/server/platform/database/migrate";
import { fetchReport } from "@parley/telephony/simulated-network/fetch-report";
import {
  type NetworkProcess,
  startNetworkProcess,
} from "@parley/telephony/simulated-network/testing/start-network-process";
import { type Scene, setScene } from "../api/scene.ts";
import type { Goal } from "../goals.ts";
import { load, type Shot } from "../load.ts";
import { isQuick } from "../quick.ts";
import { percentile } from "../statistics.ts";
import { type BenchDatabase, startDebians, startEmbedded } from "./databases.ts";
import { measureReferenceQueue } from "./reference-queue.ts";
import { type RunningService, startProcess } from "./service-processes.ts";

const WORKERS = isQuick ? [1] : [1, 2, 4];
const DATABASES = isQuick ? [startEmbedded] : [startEmbedded, startDebians];
const P50_MAX_MS = 12;
const NETWORK_SPEED = 20;

interface Row extends DispatchFigures {
  readonly database: string;
  readonly workers: number;
  readonly referencePerSecond: number;
}

/**
 * From the request to the dialed number, and how many calls a second are claimed, by this many workers on each
 * PostgreSQL.
 */
export async function benchDispatch(): Promise<Goal[]> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  await chmod(folder, 0o711);
  const loadBefore = loadavg().map((value) => value.toFixed(1));
  const network = await startNetworkProcess({ speed: NETWORK_SPEED });
  const rows: Row[] = [];
  try {
    for (const start of DATABASES) {
      const database = await start(folder);
      try {
        rows.push(...(await measureDatabase(database, folder, network)));
      } finally {
        await database.stop();
      }
    }
  } finally {
    await network.kill("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  }
  print(rows, loadBefore.join(", "));
  return rows.map(({ database, workers, dialingP50Ms }) => ({
    name: `post_to_dialing_p50_${database.startsWith("embedded") ? "embedded" : "debian"}_${workers}`,
    value: dialingP50Ms,
    max: P50_MAX_MS,
    unit: " ms",
  }));
}

async function measureDatabase({ name, url }: BenchDatabase, folder: string, network: NetworkProcess): Promise<Row[]> {
  await migrate(url);
  const scene = await setScene(url);
  const db = openDatabase({ url, connectionsMax: 2, applicationName: "bench", onIdleError: () => undefined });
  const processes: RunningService[] = [];
  const add = async (role: "api" | "calls") => {
    const options = { role, databaseUrl: url, dataDir: folder, network: `${network.host}:${network.port}` };
    const started = await startProcess(options);
    processes.push(started);
    return started;
  };
  try {
    const api = await add("api");
    const rows: Row[] = [];
    for (const workers of WORKERS) {
      while (processes.length - 1 < workers) await add("calls");
      const figures = await measureDispatch(db, scene, api.port, network);
      const referencePerSecond = await measureReferenceQueue(url, folder, workers);
      rows.push({ database: name, workers, ...figures, referencePerSecond });
    }
    return rows;
  } finally {
    for (const started of processes) await started.stop();
    await db.destroy();
  }
}

function print(rows: readonly Row[], loadBefore: string): void {
  const cells = (values: readonly string[]) => values.map((value) => value.padStart(12)).join("");
  console.log(`\nLoad of the machine before: ${loadBefore}`);
  console.log(
    "Calls to busy callees. POST to dialing: from sending the request until the carrier has the request to dial.",
  );
  console.log(
    `${"".padEnd(18)}${cells(["workers", "p50 ms", "p95 ms", "of it queued", "claimed/s", "dialed/s", "again", "graphile/s", "ratio"])}`,
  );
  for (const row of rows) {
    const ratio = row.claimedPerSecond / row.referencePerSecond;
    const values = [
      String(row.workers),
      row.dialingP50Ms.toFixed(1),
      row.dialingP95Ms.toFixed(1),
      row.pickUpP50Ms.toFixed(1),
      row.claimedPerSecond.toFixed(0),
      row.dialedPerSecond.toFixed(0),
      String(row.claimedAgain),
      row.referencePerSecond.toFixed(0),
      ratio.toFixed(2),
    ];
    console.log(`${row.database.padEnd(18)}${cells(values)}`);
  }
  console.log(
    "graphile/s: empty jobs a second through graphile-worker's local queue, in as many processes. ratio: claimed to that.",
  );
}

interface DispatchFigures {
  /** From sending the request until the carrier has the request to dial, which leaves after the commit. */
  readonly dialingP50Ms: number;
  readonly dialingP95Ms: number;
  /** Of that, from the insertion of the accepted call on. */
  readonly pickUpP50Ms: number;
  readonly claimedPerSecond: number;
  readonly dialedPerSecond: number;
  /** Calls that returned to the queue because their worker was too busy to renew its leases. */
  readonly claimedAgain: number;
}

// Fewer would measure code that V8 has not compiled yet.
const WARM_UP_CALLS = isQuick ? 2 : 400;
const CALLS = isQuick ? 5 : 100;
const QUEUED_CALLS = isQuick ? 20 : 400;
const CONNECTIONS = 8;
const WITHIN_MS = 120_000;
/** The network notes the time in whole milliseconds, rounded down. */
const CLOCK_STEP_MS = 1;

/** Callees are busy, so that a call costs as little as possible. */
async function measureDispatch(
  db: Database,
  scene: Scene,
  apiPort: number,
  network: NetworkProcess,
): Promise<DispatchFigures> {
  await openLane(db);
  await place(scene, apiPort, WARM_UP_CALLS);
  await untilIdle(db);
  const latency = await measureLatency(db, scene, apiPort, network);
  const rates = await measureRates(db, scene, apiPort);
  return { ...latency, ...rates };
}

/** Requests that arrive one by one, each while the workers are idle. */
async function measureLatency(db: Database, scene: Scene, apiPort: number, network: NetworkProcess) {
  const sentAtMs = new Map<string, number>();
  for (let count = 0; count < CALLS; count += 1) {
    const atMs = performance.timeOrigin + performance.now();
    const { method, path, headers, body } = shot(scene);
    const reply = await fetch(`http://127.0.0.1:${apiPort}${path}`, { method, headers, body: body ?? null });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`a call was refused: ${reply.status} ${text}`);
    sentAtMs.set((JSON.parse(text) as { data: { id: string } }).data.id, atMs);
    await untilIdle(db);
  }
  const { records } = await fetchReport(network.host, network.port);
  const dialedAtMs = new Map(records.map((record) => [record.callId, record.dialedAtMs + CLOCK_STEP_MS / 2]));
  const rows = await run<{ id: string; created_ms: number }>(
    db,
    "select id, extract(epoch from created_at)::float8 * 1000 as created_ms from calls where id = any($1)",
    [[...sentAtMs.keys()]],
  );
  const dialed = rows.flatMap(({ id, created_ms }) => {
    const [sentMs, dialedMs] = [sentAtMs.get(id), dialedAtMs.get(id)];
    return sentMs === undefined || dialedMs === undefined
      ? []
      : [{ dialingMs: dialedMs - sentMs, pickUpMs: dialedMs - created_ms }];
  });
  if (dialed.length !== CALLS) throw new Error(`only ${dialed.length} of ${CALLS} calls were dialed`);
  const dialing = dialed.map(({ dialingMs }) => dialingMs);
  return {
    dialingP50Ms: percentile(dialing, 50),
    dialingP95Ms: percentile(dialing, 95),
    pickUpP50Ms: percentile(
      dialed.map(({ pickUpMs }) => pickUpMs),
      50,
    ),
  };
}

/** A queue that was closed is opened: how soon is every call of it claimed, and how soon dialed? */
async function measureRates(db: Database, scene: Scene, apiPort: number) {
  await run(db, "update dispatch_lanes set concurrency_max = 0");
  const { requests } = await place(scene, apiPort, QUEUED_CALLS);
  // A worker that polls claims calls as soon as the lane is open, so the time is read before.
  const [opened] = await run<{ at: Date }>(db, "select clock_timestamp() as at");
  if (!opened) throw new Error("the database did not tell the time");
  await openLane(db);
  await run(db, "select pg_notify('parley_queued', '')");
  await untilIdle(db);
  const [row] = await run<{ claimed: number; dialed: number; count: number; again: number }>(
    db,
    `select extract(epoch from max(r.claimed_at) - $1)::float8 as claimed, count(distinct c.id)::int as count,
       extract(epoch from max(c.dialing_at) - $1)::float8 as dialed, count(*)::int - count(distinct c.id)::int as again
     from call_runs r join calls c on c.id = r.call_id where r.claimed_at >= $1`,
    [opened.at],
  );
  if (row?.count !== requests) throw new Error(`${row?.count} of ${requests} calls were claimed`);
  const { claimed, dialed, again } = row;
  return { claimedPerSecond: requests / claimed, dialedPerSecond: requests / dialed, claimedAgain: again };
}

async function openLane(db: Database): Promise<void> {
  await run(db, "update dispatch_lanes set concurrency_max = 100000, calls_per_second = 100000");
}

function shot({ key, agentId }: Scene): Shot {
  return {
    method: "POST",
    path: "/api/v1/calls",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ phoneNumber: "+15550100002", agentId, engine: "local", callingHours: "ignore" }),
  };
}

async function place(scene: Scene, apiPort: number, count: number) {
  const result = await load(apiPort, count, CONNECTIONS, () => shot(scene));
  if (result.failures > 0) throw new Error(`${result.failures} of ${count} requests were refused`);
  return result;
}

async function untilIdle(db: Database): Promise<void> {
  const giveUpAtMs = performance.now() + WITHIN_MS;
  while (performance.now() < giveUpAtMs) {
    const [row] = await run<{ n: number }>(db, "select count(*)::int as n from calls where state <> 'ended'");
    if (row?.n === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("calls did not come to an end");
}
