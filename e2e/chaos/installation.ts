import { join } from "node:path";
import type { Mode } from "@parley/contract/shared-fields";
import { type Database, openDatabase, run } from "@parley/server/database/database";
import { connectionUrl, readConnectionFile } from "@parley/server/database/embedded/connection-file";
import { readPostmasterFile } from "@parley/server/database/embedded/postmaster-process";
import { startEmbeddedPostgres } from "@parley/server/database/embedded/start-embedded-postgres";
import {
  type NetworkProcess,
  startNetworkProcess,
} from "@parley/telephony/simulated-network/testing/start-network-process";
import { ask } from "../harness/api-client.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { freePort } from "../harness/free-port.ts";
import { readFirstRun, type ServiceProcess, startService } from "../harness/service-process.ts";
import { Member, type Part, type Program } from "./cast.ts";

/** What a conducting process is started with. */
export interface WorkerSurroundings {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly network: NetworkProcess;
  readonly serial: number;
}

export interface InstallationOptions {
  readonly apis: number;
  readonly workers: number;
  /** How many times faster than life the callees are. */
  readonly speed: number;
  /** Starts something else in place of the real worker. It prints `ready` when it is up. */
  startWorker?(surroundings: WorkerSurroundings): Promise<Program>;
}

/** A whole installation, each role in processes of its own, with one account that has a key of each mode. */
export interface Installation {
  readonly apis: readonly Member[];
  readonly workers: readonly Member[];
  readonly members: readonly Member[];
  readonly apiUrls: readonly [string, ...string[]];
  readonly keys: Readonly<Record<Mode, string>>;
  readonly agentId: string;
  readonly db: Database;
  readonly network: NetworkProcess;
  /** How long the processes took to start together: the measure of how quick the machine is. */
  readonly startedInMs: number;
  /** The process that owns the database, or null while there is none. */
  databasePid(): number | null;
  close(): Promise<void>;
}

const UP_WITHIN_MS = 60_000;
const CALLS_AT_ONCE = 60;
const CALLS_PER_SECOND = 25;
const CREDIT_MICROS = 1_000_000_000n;
const REQUESTS_PER_SECOND = 2_000;

export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const folder = await makeDataFolder();
  const dataDir = folder.path;
  const network = await startNetworkProcess({ speed: options.speed });
  const env = {
    PARLEY_SIMULATED_NETWORK: `${network.host}:${network.port}`,
    PARLEY_RATE_LIMIT: String(REQUESTS_PER_SECOND),
    PARLEY_DATABASE_CONNECTIONS: "10",
  };
  const apiPorts = await Promise.all(Array.from({ length: options.apis }, freePort));
  const members: Member[] = [];
  const add = (part: Part) => {
    const member = new Member(part);
    members.push(member);
    return member;
  };
  const service = (name: string, role: string, port: number): Part => ({
    name,
    isUp: (output) => output.includes('"msg":"ready"'),
    // The number of slots tells in the table of workers which process a worker is.
    start: (serial) =>
      startService({
        dataDir,
        port,
        waitForReady: false,
        env: { ...env, PARLEY_ROLES: role, PARLEY_CALL_SLOTS: String(serial) },
      }),
  });

  let first: ServiceProcess | null = null;
  const apis = apiPorts.map((port, index) => {
    const part = service(`api${index}`, "api", port);
    if (index > 0) return add(part);
    return add({
      ...part,
      async start(serial) {
        const started = (await part.start(serial)) as ServiceProcess;
        first ??= started;
        return started;
      },
    });
  });
  const cluster = join(dataDir, "postgres", "database", "cluster");
  let db: Database | null = null;
  const close = async () => {
    await db?.destroy();
    await Promise.all(members.map((member) => member.dismiss("SIGINT", 20_000)));
    await network.kill("SIGTERM");
    // Whoever was killed last left the database running; being the last one here stops it.
    const silent = () => undefined;
    const log = { info: silent, warn: silent, error: silent };
    await (await startEmbeddedPostgres({ dataDir, log })).stop();
    await folder.remove();
  };

  try {
    await apis[0]?.start();
    await apis[0]?.whenUp(UP_WITHIN_MS);
    if (!first) throw new Error("there is no api");
    const { url } = first as ServiceProcess;
    const { key, agentId, claimToken } = await readFirstRun(first);
    const liveKey = await createLiveKey(url, claimToken);
    const databaseUrl = connectionUrl(readConnectionFile(join(dataDir, "postgres", "database", "connection.json")));
    db = openDatabase({
      url: databaseUrl,
      connectionsMax: 3,
      applicationName: "chaos",
      onIdleError: () => undefined,
    });
    await raiseLimits(db);
    const workers = await Promise.all(
      Array.from({ length: options.workers }, async (_, index) => {
        const real = service(`worker${index}`, "calls", await freePort());
        const { startWorker } = options;
        if (!startWorker) return add(real);
        const start = (serial: number) => startWorker({ dataDir, databaseUrl, network, serial });
        return add({ name: `worker${index}`, isUp: (output) => output.includes("ready"), start });
      }),
    );
    const jobs = add(service("jobs", "jobs", await freePort()));
    const others = [...apis.slice(1), ...workers, jobs];
    const startAtMs = Date.now();
    await Promise.all(others.map((member) => member.start()));
    await Promise.all(others.map((member) => member.whenUp(UP_WITHIN_MS)));
    return {
      apis,
      workers,
      members,
      apiUrls: apiPorts.map((port) => `http://127.0.0.1:${port}`) as [string, ...string[]],
      keys: { test: key, live: liveKey },
      agentId,
      db,
      network,
      startedInMs: Date.now() - startAtMs,
      databasePid: () => readPostmasterFile(cluster)?.pid ?? null,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createLiveKey(url: string, claimToken: string): Promise<string> {
  const headers = { origin: url };
  const claim = { token: claimToken, email: "owner@example.com", password: "four quiet green lamps" };
  const claimed = await ask(url, "/auth/claim", { body: claim, headers });
  const cookie = claimed.headers.get("set-cookie")?.split(";")[0];
  if (claimed.status !== 200 || !cookie) throw new Error(`not claimed: ${JSON.stringify(claimed.body)}`);
  const body = { name: "chaos", mode: "live" };
  const made = await ask(url, "/api/v1/api-keys", { body, headers: { ...headers, cookie } });
  if (made.status !== 200) throw new Error(`no live key: ${JSON.stringify(made.body)}`);
  return made.body.data.key as string;
}

/** A new account may make two calls a second from ten dollars; that is too little work to be killed in. */
async function raiseLimits(db: Database): Promise<void> {
  await run(db, "update dispatch_lanes set concurrency_max = $1, calls_per_second = $2", [
    CALLS_AT_ONCE,
    CALLS_PER_SECOND,
  ]);
  await run(
    db,
    `insert into ledger_transfers (id, account_id, kind, available_micros, funded_micros)
     select 'trf_chaos', id, 'credit_added', $1::bigint, -$1::bigint from accounts`,
    [CREDIT_MICROS],
  );
}
