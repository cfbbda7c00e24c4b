import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkDatabase } from "@parley/server/platform/checks/check-invariants";
import { startEmbeddedPostgres } from "@parley/server/platform/database/embedded/start-embedded-postgres";
import { migrate } from "@parley/server/platform/database/migrate";
import { startNetworkProcess } from "@parley/telephony/simulated-network/testing/start-network-process";
import pg from "pg";
import { type Scene, setScene } from "../api/scene.ts";
import { type RunningService, startProcess } from "../dispatch/service-processes.ts";
import type { Goal } from "../goals.ts";
import { load } from "../load.ts";
import { isQuick } from "../quick.ts";
import { fillInstallation, type InstallationSize, type MeasuredAccounts, STEADY_CALLS } from "./fill-installation.ts";
import { measureOperations, type OperationCost } from "./measure-installation.ts";
import { StatementCosts, sumOf } from "./statement-costs.ts";

const numberOption = (name: string, fallback: number) =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? fallback);

const LARGE_CALLS = numberOption("calls", 1_000_000);
/** How many calls are conducted to see what they leave behind. */
const CONDUCTED = isQuick ? 10 : numberOption("conducted", 2000);
/** Whole minutes: as many runs of the jobs of every minute in each installation. */
const IDLE_MS = isQuick ? 1000 : 60_000;
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
/** The least that a ratio is taken of: what costs next to nothing may vary by more. */
const LEAST = { buffers: 1, ms: 0.5, idleBuffers: 2000 } as const;
/**
 * Statistics read a row for each call of the steady account, and another one for its replies. In the smallest installation these
 * lie together in a few pages; between the rows of others each has a page of its own, however many others there are.
 */
const LEAST_BUFFERS: Readonly<Record<string, number>> = { usage: 2 * STEADY_CALLS, usage_by_agent: STEADY_CALLS };
/** Whose idle processes are measured. */
const ROLES = isQuick ? (["calls"] as const) : (["api", "calls", "jobs"] as const);
/** Seconds that `check` may take for a million calls with all their rows. */
const CHECK_SECONDS_MAX = 180;
/** A call to a busy callee changes its own row, its run, its lane and counters: about so many versions are left for vacuum. */
const DEAD_PER_CALL_MAX = 14;

interface Measured {
  readonly size: InstallationSize;
  readonly operations: readonly OperationCost[];
  readonly checkSeconds: number;
  readonly idle: readonly IdleCost[];
}

/** Per minute. */
interface IdleCost {
  readonly role: string;
  readonly statements: number;
  readonly buffers: number;
  readonly mostBy: string;
}

/**
 * What the operations that repeat most cost in small and large installations, in pages read and in time; what idle
 * processes cost; how long `check` takes; and what calls leave behind for vacuum. `--calls=10000000` and
 * `--conducted=50000` for more, `--only=2` for the first two sizes.
 */
export async function benchGrowth(): Promise<Goal[]> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  await chmod(folder, 0o711);
  const postgres = await startWithStatistics(folder);
  try {
    const measured: Measured[] = [];
    for (const size of SIZES.slice(0, numberOption("only", SIZES.length))) {
      const each = await measureSize(postgres.url, folder, size);
      print(each);
      measured.push(each);
    }
    return [
      ...ratiosOf(measured),
      ...checkGoal(measured),
      { name: "dead_rows_per_call", value: await countLeftBehind(postgres.url, folder), max: DEAD_PER_CALL_MAX },
    ];
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

async function measureSize(serverUrl: string, dataDir: string, size: InstallationSize): Promise<Measured> {
  const { url, scene: large } = await createInstallation(serverUrl, `accounts_${size.accounts}`);
  const accounts: MeasuredAccounts = { large, steady: await setScene(url) };
  const startedMs = performance.now();
  await fillInstallation(url, accounts, size);
  console.log(`\n${describe(size)}: filled in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  const checkSeconds = await timeCheck(url);
  const costs = await StatementCosts.open(url);
  // No calls are conducted here, so the network is never asked.
  const start = (role: (typeof ROLES)[number]) =>
    startProcess({ role, databaseUrl: url, dataDir, network: "127.0.0.1:9" });
  try {
    const api = await start("api");
    const operations = await measureOperations(url, accounts, api.port, costs).finally(() => api.stop());
    await leaveNothingToDo(url);
    const idle: IdleCost[] = [];
    for (const role of ROLES) idle.push(await measureIdle(role, await start(role), costs));
    return { size, operations, checkSeconds, idle };
  } finally {
    await costs.close();
  }
}

const describe = ({ accounts, calls, queued }: InstallationSize) =>
  `${accounts} accounts, ${calls} calls, ${queued} queued`;

/** `check` on a database that is as it should be. */
async function timeCheck(url: string): Promise<number> {
  const startedMs = performance.now();
  const { results } = await checkDatabase(url);
  const broken = results.filter(({ total }) => total > 0).map(({ name, total }) => `${name} (${total})`);
  if (broken.length > 0) throw new Error(`the database was filled with what cannot be: ${broken.join(", ")}`);
  return (performance.now() - startedMs) / 1000;
}

function print({ size, operations, checkSeconds, idle }: Measured): void {
  const figure = (value: number, digits: number, width: number) => value.toFixed(digits).padStart(width);
  console.log(`${describe(size)}: check took ${checkSeconds.toFixed(1)} s`);
  console.log("  statements, pages read and median ms per operation; a claim is one of 20 workers that claim at once");
  for (const { name, statements, buffers, ms } of operations)
    console.log(`    ${name.padEnd(15)}${figure(statements, 1, 7)}${figure(buffers, 0, 10)}${figure(ms, 1, 9)} ms`);
  console.log("  an idle process per minute; queued calls are of lanes without room");
  for (const { role, statements, buffers, mostBy } of idle)
    console.log(
      `    ${role.padEnd(6)}${figure(statements, 0, 8)} statements${figure(buffers, 0, 10)} pages, most by ${mostBy}`,
    );
}

/** The largest figure of the larger installations, compared with the smallest one. */
function ratio(measured: readonly Measured[], least: number, read: (each: Measured) => number): number {
  const [base = 0, ...others] = measured.map(read);
  return Math.max(...others, 0) / Math.max(base, least);
}

function ratiosOf(measured: readonly Measured[]): Goal[] {
  const operationOf = (each: Measured, name: string) => each.operations.find((operation) => operation.name === name);
  const names = measured[0]?.operations.map(({ name }) => name) ?? [];
  const goal = (name: string, value: number): Goal => ({ name, value, max: RATIO_MAX, unit: "x" });
  return [
    ...names.flatMap((name) => [
      goal(
        `${name}_buffers`,
        ratio(measured, LEAST_BUFFERS[name] ?? LEAST.buffers, (each) => operationOf(each, name)?.buffers ?? NaN),
      ),
      goal(
        `${name}_time`,
        ratio(measured, LEAST.ms, (each) => operationOf(each, name)?.ms ?? NaN),
      ),
    ]),
    ...ROLES.map((role) =>
      goal(
        `idle_${role}_buffers`,
        ratio(measured, LEAST.idleBuffers, ({ idle }) => idle.find((cost) => cost.role === role)?.buffers ?? NaN),
      ),
    ),
  ];
}

/** What `check` reads grows with what is there. */
function checkGoal(measured: readonly Measured[]): Goal[] {
  const largest = measured.at(-1);
  if (!largest) return [];
  const perMillion = (largest.checkSeconds * 1_000_000) / largest.size.calls;
  return [{ name: "check_per_million_calls", value: perMillion, max: CHECK_SECONDS_MAX, unit: " s" }];
}

/** Calls that wait cannot be claimed, and nothing is left to be sent. */
async function leaveNothingToDo(url: string): Promise<void> {
  await query(
    url,
    "update dispatch_lanes set concurrency_max = 0 where mode = 'live'",
    "update call_runs set ended_at = now() where ended_at is null",
    "update webhook_deliveries set status = 'held', next_attempt_at = null, claimed_until = null where status = 'pending'",
  );
}

async function measureIdle(
  role: (typeof ROLES)[number],
  started: RunningService,
  costs: StatementCosts,
): Promise<IdleCost> {
  try {
    // What a start does, and the lanes without room, which are looked at once.
    await new Promise((resolve) => setTimeout(resolve, isQuick ? 0 : 10_000));
    await costs.reset();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const read = await costs.read();
    const perMinute = (figure: "calls" | "buffers") => (sumOf(read, figure) * 60_000) / IDLE_MS;
    const most = [...read].sort((a, b) => b.buffers - a.buffers).slice(0, 3);
    return {
      role,
      statements: perMinute("calls"),
      buffers: perMinute("buffers"),
      mostBy: most.map(({ name, buffers, calls }) => `${name} (${(buffers / calls).toFixed(0)} each)`).join(", "),
    };
  } finally {
    await started.stop();
  }
}

const LEFT_BEHIND = `select relname as table, sum(n_tup_ins)::int as inserted, sum(n_tup_upd)::int as updated,
    sum(n_tup_hot_upd)::int as hot, sum(n_dead_tup)::int as dead
  from pg_stat_user_tables where schemaname = 'public' group by relname having sum(n_tup_upd + n_dead_tup) > 0
  order by sum(n_dead_tup) desc`;

interface LeftBehind {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly hot: number;
  readonly dead: number;
}

/** Conducts calls to busy callees with vacuum switched off. Returns how many dead row versions each leaves. */
async function countLeftBehind(serverUrl: string, dataDir: string): Promise<number> {
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
    for (const { table, inserted, updated, hot, dead } of rows.slice(0, 12))
      console.log(`  ${table.padEnd(24)}${[inserted, updated, hot, dead].map((n) => String(n).padStart(10)).join("")}`);
    return rows.reduce((sum, { dead }) => sum + dead, 0) / CONDUCTED;
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
