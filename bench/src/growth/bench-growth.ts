import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@parley/server/platform/database/embedded/start-embedded-postgres";
import { migrate } from "@parley/server/platform/database/migrate";
import { startNetworkProcess } from "@parley/telephony/simulated-network/testing/start-network-process";
import pg from "pg";
import { type Scene, setScene } from "../api/scene.ts";
import { type RunningService, startProcess } from "../dispatch/service-processes.ts";
import type { Goal } from "../goals.ts";
import { load } from "../load.ts";
import { isQuick } from "../quick.ts";
import { fillInstallation, type InstallationSize } from "./fill-installation.ts";
import { measureOperations, type OperationCost } from "./measure-installation.ts";
import { StatementCosts, sumOf } from "./statement-costs.ts";

const numberOption = (name: string, fallback: number) =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? fallback);

const LARGE_CALLS = numberOption("calls", 1_000_000);
/** How many calls are conducted to see what they leave behind. */
const CONDUCTED = isQuick ? 10 : numberOption("conducted", 2000);
const IDLE_MS = isQuick ? 1000 : 30_000;
const WITHIN_MS = 1_800_000;

const SIZES: readonly InstallationSize[] = isQuick
  ? [
      { accounts: 20, calls: 100, queued: 60 },
      { accounts: 200, calls: 1000, queued: 120 },
    ]
  : [
      { accounts: 100, calls: 1000, queued: 1000 },
      { accounts: 10_000, calls: LARGE_CALLS / 10, queued: 10_000 },
      { accounts: 100_000, calls: LARGE_CALLS, queued: 100_000 },
    ];
/** The most an operation may cost in a large installation, compared with the smallest one. */
const RATIO_MAX = 2;

/**
 * What the operations that repeat most cost in small and large installations, in pages read and in time; what idle
 * processes cost; and what calls leave behind for vacuum. `--calls=10000000` and `--conducted=50000` for more.
 */
export async function benchGrowth(): Promise<Goal[]> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  await chmod(folder, 0o711);
  const postgres = await startWithStatistics(folder);
  try {
    const rows: { readonly size: InstallationSize; readonly operations: OperationCost[] }[] = [];
    for (const size of SIZES) rows.push({ size, operations: await measureSize(postgres.url, folder, size) });
    print(rows);
    await printIdle(postgres.url, folder);
    await printLeftBehind(postgres.url, folder);
    return goalsOf(rows);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const log = { info: () => undefined, warn: () => undefined, error: console.error };

async function startWithStatistics(dataDir: string) {
  const first = await startEmbeddedPostgres({ dataDir, log });
  try {
    await query(first.url, "alter system set shared_preload_libraries = 'pg_stat_statements'");
  } finally {
    await first.stop();
  }
  return startEmbeddedPostgres({ dataDir, log });
}

async function query<Row extends object>(url: string, ...statements: readonly string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

async function createInstallation(url: string, name: string): Promise<{ url: string; scene: Scene }> {
  await query(url, `create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  await migrate(own.href);
  return { url: own.href, scene: await setScene(own.href) };
}

const nameOf = ({ accounts }: InstallationSize) => `accounts_${accounts}`;

async function measureSize(serverUrl: string, dataDir: string, size: InstallationSize): Promise<OperationCost[]> {
  const { url, scene } = await createInstallation(serverUrl, nameOf(size));
  await fillInstallation(url, scene, size);
  const costs = await StatementCosts.open(url);
  // No calls are conducted here, so the network is never asked.
  const api = await startProcess({ role: "api", databaseUrl: url, dataDir, network: "127.0.0.1:9" });
  try {
    return await measureOperations(url, scene, api.port, costs);
  } finally {
    await api.stop();
    await costs.close();
  }
}

function print(
  rows: readonly { readonly size: InstallationSize; readonly operations: readonly OperationCost[] }[],
): void {
  console.log("\nStatements, pages read and median ms per operation; a claim is one of 20 workers that claim at once");
  for (const { size, operations } of rows) {
    console.log(`  ${size.accounts} accounts, ${size.calls} calls, ${size.queued} queued`);
    for (const { name, statements, buffers, ms } of operations)
      console.log(
        `    ${name.padEnd(14)}${statements.toFixed(1).padStart(7)}${buffers.toFixed(0).padStart(10)}${ms.toFixed(1).padStart(9)} ms`,
      );
  }
}

function goalsOf(rows: readonly { readonly operations: readonly OperationCost[] }[]): Goal[] {
  const [small, ...larger] = rows;
  return (small?.operations ?? []).flatMap((base) => {
    const others = larger.flatMap(({ operations }) => operations.filter(({ name }) => name === base.name));
    const worst = (figure: "buffers" | "ms") => Math.max(...others.map((other) => other[figure])) / base[figure];
    return [
      { name: `${base.name}_buffers`, value: worst("buffers"), max: RATIO_MAX, unit: "x" },
      { name: `${base.name}_time`, value: worst("ms"), max: RATIO_MAX, unit: "x" },
    ];
  });
}

/** Each role by itself, in the largest installation, with nothing to do but look. */
async function printIdle(serverUrl: string, dataDir: string): Promise<void> {
  const largest = SIZES.at(-1);
  if (!largest) return;
  const own = new URL(serverUrl);
  own.pathname = `/${nameOf(largest)}`;
  await query(
    own.href,
    "update dispatch_lanes set concurrency_max = 0 where mode = 'live'",
    "update call_runs set ended_at = now() where ended_at is null",
    "update webhook_deliveries set status = 'held', next_attempt_at = null, claimed_until = null where status = 'pending'",
  );
  const costs = await StatementCosts.open(own.href);
  console.log(
    `\nAn idle process per minute, ${largest.accounts} accounts, ${largest.queued} queued calls of lanes without room`,
  );
  try {
    for (const role of ["api", "calls", "jobs"] as const) {
      const started = await startProcess({ role, databaseUrl: own.href, dataDir, network: "127.0.0.1:9" });
      await new Promise((resolve) => setTimeout(resolve, isQuick ? 0 : 5000));
      await costs.reset();
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      const read = await costs.read();
      await started.stop();
      const perMinute = (figure: "calls" | "buffers") => ((sumOf(read, figure) * 60_000) / IDLE_MS).toFixed(0);
      const most = [...read].sort((a, b) => b.buffers - a.buffers).slice(0, 3);
      console.log(
        `  ${role.padEnd(6)}${perMinute("calls").padStart(8)} statements${perMinute("buffers").padStart(10)} buffers, most by ` +
          most.map(({ name, buffers, calls }) => `${name} (${(buffers / calls).toFixed(0)} each)`).join(", "),
      );
    }
  } finally {
    await costs.close();
  }
}

const LEFT_BEHIND = `select relname as table, sum(n_tup_ins)::int as inserted, sum(n_tup_upd)::int as updated,
    sum(n_tup_hot_upd)::int as hot, sum(n_dead_tup)::int as dead
  from pg_stat_user_tables where schemaname = 'public' group by relname having sum(n_tup_upd + n_dead_tup) > 0
  order by sum(n_dead_tup) desc limit 12`;

interface LeftBehind {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly hot: number;
  readonly dead: number;
}

/** Conducts calls to busy callees with vacuum switched off, and counts the row versions that they leave. */
async function printLeftBehind(serverUrl: string, dataDir: string): Promise<void> {
  const { url, scene } = await createInstallation(serverUrl, "conducted");
  const tables = await query<{ name: string }>(
    url,
    "select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  await query(url, ...tables.map(({ name }) => `alter table ${name} set (autovacuum_enabled = off)`));
  await query(
    url,
    "update dispatch_lanes set concurrency_max = 100000, calls_per_second = 100000, queued_max = 1000000",
  );
  const network = await startNetworkProcess({ speed: 20 });
  const processes: RunningService[] = [];
  try {
    for (const role of ["api", "calls"] as const)
      processes.push(
        await startProcess({ role, databaseUrl: url, dataDir, network: `${network.host}:${network.port}` }),
      );
    const body = JSON.stringify({
      phoneNumber: "+15550100002",
      agentId: scene.agentId,
      engine: "local",
      callingHours: "ignore",
    });
    const headers = { authorization: `Bearer ${scene.key}`, "content-type": "application/json" };
    const startedMs = performance.now();
    const { failures, seconds } = await load(processes[0]?.port ?? 0, CONDUCTED, 8, () => ({
      method: "POST",
      path: "/api/v1/calls",
      headers,
      body,
    }));
    if (failures > 0) throw new Error(`${failures} of ${CONDUCTED} calls were refused`);
    await untilEnded(url, CONDUCTED);
    const allSeconds = (performance.now() - startedMs) / 1000;
    // The counters are written down a moment after the transactions.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const rows = await query<LeftBehind>(url, LEFT_BEHIND);
    console.log(
      `\n${CONDUCTED} calls to busy callees: ${(CONDUCTED / seconds).toFixed(0)} accepted a second, all ended after ${allSeconds.toFixed(0)} s. Row versions:`,
    );
    console.log(
      `  ${"".padEnd(24)}${["inserted", "updated", "HOT", "dead"].map((word) => word.padStart(10)).join("")}`,
    );
    for (const { table, inserted, updated, hot, dead } of rows)
      console.log(`  ${table.padEnd(24)}${[inserted, updated, hot, dead].map((n) => String(n).padStart(10)).join("")}`);
  } finally {
    for (const started of processes) await started.stop();
    await network.kill("SIGTERM");
  }
}

async function untilEnded(url: string, count: number): Promise<void> {
  const giveUpAtMs = performance.now() + WITHIN_MS;
  while (performance.now() < giveUpAtMs) {
    const [row] = await query<{ n: number }>(url, "select count(*)::int as n from calls where state = 'ended'");
    if (row && row.n >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("calls did not come to an end");
}
