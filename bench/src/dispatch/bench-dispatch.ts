import { chmod, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@parley/server/platform/database/database";
import { migrate } from "@parley/server/platform/database/migrate";
import {
  type NetworkProcess,
  startNetworkProcess,
} from "@parley/telephony/simulated-network/testing/start-network-process";
import { setScene } from "../api/scene.ts";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { type BenchDatabase, startDebians, startEmbedded } from "./databases.ts";
import { type DispatchFigures, measureDispatch } from "./measure-dispatch.ts";
import { measureReferenceQueue } from "./reference-queue.ts";
import { type RunningService, startProcess } from "./service-processes.ts";

const WORKERS = isQuick ? [1] : [1, 2, 4];
const DATABASES = isQuick ? [startEmbedded] : [startEmbedded, startDebians];
const P50_MAX_MS = 15;
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
      const figures = await measureDispatch(db, scene, api.port);
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
    "Calls to busy callees. POST to dialing: from sending the request to the commit without which nothing is dialed.",
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
