import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Mode } from "@parley/contract/shared-fields";
import { type Database, openDatabase } from "@parley/server/platform/database/database";
import { connectionUrl, readConnectionFile } from "@parley/server/platform/database/embedded/connection-file";
import { readPostmasterFile } from "@parley/server/platform/database/embedded/postmaster-process";
import { startEmbeddedPostgres } from "@parley/server/platform/database/embedded/start-embedded-postgres";
import {
  type NetworkProcess,
  startNetworkProcess,
} from "@parley/telephony/simulated-network/testing/start-network-process";
import { until } from "../harness/api-client.ts";
import { type CuttableProxy, openCuttableProxy } from "../harness/cuttable-proxy.ts";
import { type DataFolder, makeDataFolder } from "../harness/data-folder.ts";
import { freePort } from "../harness/free-port.ts";
import { readFirstRun, type ServiceProcess, startService } from "../harness/service-process.ts";
import { DISTURBED, type Disturbance } from "./disturb-process.ts";
import { type KillTrigger, openKillTrigger } from "./kill-trigger.ts";
import { createLiveKey, raiseLimits } from "./rich-account.ts";
import { Member, type Part, type Program } from "./supervised-programs.ts";

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
  /** How many times faster than real time the callees are. */
  readonly speed: number;
  /** The folder for everything; by default a new one on the disk of the machine. It is removed at the end. */
  readonly folder?: DataFolder;
  /** Puts the database behind a proxy that can be cut. */
  readonly isCuttable?: boolean;
  /** A database that is not the embedded one. Its workers are not killed at certain points. */
  readonly databaseUrl?: string;
  /** Starts something else instead of the real worker. It prints `ready` when it is up. */
  startWorker?(surroundings: WorkerSurroundings): Promise<Program>;
}

/** A whole installation, each role in processes of its own, with one account that has a key of each mode. */
export interface Installation {
  readonly apis: readonly Member[];
  readonly workers: readonly Member[];
  readonly members: readonly Member[];
  /** Of each worker, in order. None if something else replaces the workers, or the database is not the embedded one. */
  readonly killTriggers: readonly KillTrigger[];
  readonly apiUrls: readonly [string, ...string[]];
  readonly keys: Readonly<Record<Mode, string>>;
  readonly agentId: string;
  readonly db: Database;
  readonly network: NetworkProcess;
  /** Between the database and everything else; null if it cannot be cut. */
  readonly cuttable: CuttableProxy | null;
  /** Starts one more worker and waits until it is up. */
  addWorker(): Promise<Member>;
  /** Disturbs a process in a way that it cannot prevent, and waits until it has happened. */
  disturb(member: Member, disturbance: Disturbance): Promise<void>;
  /** How long the processes took to start together: the measure of how fast the machine is. */
  readonly startedInMs: number;
  /** The process that owns the database, or null while there is none. */
  databasePid(): number | null;
  close(): Promise<void>;
}

const UP_WITHIN_MS = 180_000;
const REQUESTS_PER_SECOND = 2_000;

const silent = () => undefined;
const QUIET_LOG = { info: silent, warn: silent, error: silent };
const DISTURBABLE = `--import=${new URL("./disturb-process.ts", import.meta.url)}`;

export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const folder = options.folder ?? (await makeDataFolder(options.databaseUrl === undefined ? "migrated" : "none"));
  const dataDir = folder.path;
  const postgres = options.isCuttable ? await startEmbeddedPostgres({ dataDir, log: QUIET_LOG }) : null;
  const cuttable = postgres ? await openCuttableProxy(postgres.url) : null;
  const network = await startNetworkProcess({ speed: options.speed });
  const env = {
    PARLEY_SIMULATED_NETWORK: `${network.host}:${network.port}`,
    PARLEY_RATE_LIMIT: String(REQUESTS_PER_SECOND),
    PARLEY_DATABASE_CONNECTIONS: "10",
    NODE_OPTIONS: DISTURBABLE,
    PARLEY_CHARGE_SIMULATED_CALLS: "on",
    ...(cuttable ? { DATABASE_URL: cuttable.url } : {}),
    ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
  };
  const ordersOf = (name: string) => join(dataDir, `${name}-orders.json`);
  const apiPorts = await Promise.all(Array.from({ length: options.apis }, freePort));
  const members: Member[] = [];
  const add = (part: Part) => {
    const member = new Member(part);
    members.push(member);
    return member;
  };
  const service = (name: string, role: string, port: number, more: Readonly<Record<string, string>> = {}): Part => ({
    name,
    isUp: (output) => output.includes('"msg":"ready"'),
    // The number of slots identifies the process of a worker in the table of workers.
    start: (serial) =>
      startService({
        dataDir,
        port,
        waitForReady: false,
        env: { ...env, ...more, CHAOS_ORDERS: ordersOf(name), PARLEY_ROLES: role, PARLEY_CALL_SLOTS: String(serial) },
      }),
  });
  const killTriggers: KillTrigger[] = [];

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
  const databasePid = () => readPostmasterFile(cluster)?.pid ?? null;
  const killDatabase = () => {
    const pid = databasePid();
    if (pid !== null) process.kill(pid, "SIGKILL");
  };
  process.once("exit", killDatabase);
  const close = async () => {
    process.off("exit", killDatabase);
    await db?.destroy();
    await Promise.all(members.map((member) => member.dismiss("SIGINT", 20_000)));
    await Promise.all(killTriggers.map((killTrigger) => killTrigger.close()));
    await network.kill("SIGTERM");
    await cuttable?.close();
    // The last killed process left the database running; being the last one here stops it.
    if (options.databaseUrl === undefined)
      await (postgres ?? (await startEmbeddedPostgres({ dataDir, log: QUIET_LOG }))).stop();
    await folder.remove();
  };

  try {
    await apis[0]?.start();
    await apis[0]?.whenUp(UP_WITHIN_MS);
    if (!first) throw new Error("there is no api");
    const { url } = first as ServiceProcess;
    const { key, agentId, claimToken } = await readFirstRun(first);
    const liveKey = await createLiveKey(url, claimToken);
    const databaseUrl =
      options.databaseUrl ??
      connectionUrl(readConnectionFile(join(dataDir, "postgres", "database", "connection.json")));
    db = openDatabase({
      url: databaseUrl,
      connectionsMax: 3,
      applicationName: "chaos",
      onIdleError: () => undefined,
    });
    await raiseLimits(db);
    const makeWorker = async (index: number): Promise<Member> => {
      const name = `worker${index}`;
      const { startWorker } = options;
      if (startWorker) {
        const start = (serial: number) => startWorker({ dataDir, databaseUrl, network, serial });
        return add({ name, isUp: (output) => output.includes("ready"), start });
      }
      if (options.databaseUrl !== undefined) return add(service(name, "calls", await freePort()));
      const reachedAt = cuttable?.url ?? databaseUrl;
      const ports = { database: Number(new URL(reachedAt).port), network: network.port };
      const killTrigger = await openKillTrigger({
        ports,
        canKill: () => worker.canBeKilled,
        kill: () => worker.kill(),
      });
      const worker: Member = add(service(name, "calls", await freePort(), through(killTrigger, reachedAt)));
      killTriggers[index] = killTrigger;
      return worker;
    };
    const workers = await Promise.all(Array.from({ length: options.workers }, (_, index) => makeWorker(index)));
    const jobs = add(service("jobs", "jobs", await freePort()));
    const others = [...apis.slice(1), ...workers, jobs];
    const startAtMs = Date.now();
    await Promise.all(others.map((member) => member.start()));
    await Promise.all(others.map((member) => member.whenUp(UP_WITHIN_MS)));
    return {
      apis,
      workers,
      members,
      killTriggers,
      apiUrls: apiPorts.map((port) => `http://127.0.0.1:${port}`) as [string, ...string[]],
      keys: { test: key, live: liveKey },
      agentId,
      db,
      network,
      cuttable,
      async addWorker() {
        const worker = await makeWorker(workers.length);
        workers.push(worker);
        await worker.start();
        await worker.whenUp(UP_WITHIN_MS);
        return worker;
      },
      async disturb(member, disturbance) {
        const countDone = () => member.output.split(DISTURBED).length;
        const before = countDone();
        await writeFile(ordersOf(member.name), JSON.stringify(disturbance));
        member.signal("SIGUSR2");
        await until(
          async () => countDone(),
          (done) => done > before,
          UP_WITHIN_MS,
        );
      },
      startedInMs: Date.now() - startAtMs,
      databasePid,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Routes a worker's connections to its neighbours through its killTrigger. */
function through({ ports }: KillTrigger, databaseUrl: string): Readonly<Record<string, string>> {
  const database = new URL(databaseUrl);
  database.port = String(ports.database);
  return { DATABASE_URL: database.href, PARLEY_SIMULATED_NETWORK: `127.0.0.1:${ports.network}` };
}
