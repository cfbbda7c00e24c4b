import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, closeSync, existsSync, lstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { chooseIdentity } from "./choose-identity.ts";
import { choosePort, isPortFree } from "./choose-port.ts";
import {
  type ConnectionDetails,
  connectionUrl,
  databaseName,
  readConnectionFile,
  writeConnectionFile,
} from "./connection-file.ts";
import type { EmbeddedLayout } from "./embedded-layout.ts";
import type { EmbeddedPostgresLog } from "./embedded-postgres-log.ts";
import { locateBinaries } from "./locate-binaries.ts";
import { isPostmasterOf, readPostmasterFile, removeStalePostmasterFile } from "./postmaster-process.ts";
import { prepareBinaries } from "./prepare-binaries.ts";
import { pruneLogs } from "./prune-logs.ts";
import { cannotRun, identityOptions, programEnvironment } from "./run-program.ts";
import type { Identity } from "./unprivileged-identity.ts";

const portChecksMax = 20;
const portCheckMs = 25;

/** A PostgreSQL that serves our cluster; `child` is set when this process is its parent. */
export interface Postmaster {
  readonly pid: number;
  readonly child: ChildProcess | undefined;
}

export type EnsureOutcome =
  | { readonly outcome: "serving"; readonly postmaster: Postmaster }
  | {
      readonly outcome: "refused";
      readonly reason: string;
      /** True when PostgreSQL itself refused, which is normal for a second or two after a kill. */
      readonly isUsual: boolean;
    };

export interface EnsureOptions {
  readonly layout: EmbeddedLayout;
  readonly log: EmbeddedPostgresLog;
  /** False once any process was given the address, which must not change after that. */
  readonly mayChangePort: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Attaches to the PostgreSQL that serves the cluster, or makes one attempt to start it. Must be called with the start lock
 * held. After a kill PostgreSQL refuses to start until the last of its old processes has let go of the shared memory.
 */
export async function ensureServing(options: EnsureOptions): Promise<EnsureOutcome> {
  const { layout, log, signal } = options;
  const attached = await attach(layout, signal);
  if (attached !== undefined) return { outcome: "serving", postmaster: attached };

  const stalePid = removeStalePostmasterFile(layout.cluster);
  if (stalePid !== undefined) log.info({ pid: stalePid }, "removed stale PostgreSQL pid file");
  const port = await settlePort(options);
  if (port === undefined) {
    const { port: taken } = readConnectionFile(layout.connectionFile);
    return { outcome: "refused", reason: `port ${taken} on 127.0.0.1 is taken by another program`, isUsual: false };
  }
  const identity = chooseIdentity(layout);
  if (identity !== undefined) giveCluster(layout.cluster, identity);
  const binaries = prepareBinaries(locateBinaries(), layout.binaries, identity);
  pruneLogs(layout.logs, log);
  const child = await launchPostmaster(layout, join(binaries.folder, "bin"), port, identity);
  const { pid } = child;
  if (pid === undefined) return { outcome: "refused", reason: "PostgreSQL has no process number", isUsual: false };
  if (await awaitServing(pid, layout.cluster, readConnectionFile(layout.connectionFile), signal)) {
    return { outcome: "serving", postmaster: { pid, child } };
  }
  return { outcome: "refused", reason: readLastWords(layout), isUsual: true };
}

/** Nothing when no live PostgreSQL has the cluster; one that is shutting down is waited for. */
async function attach(layout: EmbeddedLayout, signal: AbortSignal | undefined): Promise<Postmaster | undefined> {
  const file = readPostmasterFile(layout.cluster);
  if (file === undefined || !isPostmasterOf(file.pid, layout.cluster)) return undefined;
  const details = readConnectionFile(layout.connectionFile);
  const serving = await awaitServing(file.pid, layout.cluster, details, signal);
  return serving ? { pid: file.pid, child: undefined } : undefined;
}

async function settlePort({ layout, log, mayChangePort }: EnsureOptions): Promise<number | undefined> {
  const details = readConnectionFile(layout.connectionFile);
  if (await becomesFree(details.port)) return details.port;
  if (!mayChangePort) return undefined;
  const port = await choosePort();
  writeConnectionFile(layout.connectionFile, { ...details, port });
  log.warn({ takenPort: details.port, port }, "port of the embedded PostgreSQL is in use; using another");
  return port;
}

/** A killed PostgreSQL counts as ended a moment before the kernel has closed its port. */
async function becomesFree(port: number): Promise<boolean> {
  for (let attempt = 0; attempt < portChecksMax; attempt += 1) {
    if (await isPortFree(port)) return true;
    await sleep(portCheckMs);
  }
  return false;
}

export function refuseOtherMajor(layout: EmbeddedLayout): void {
  const made = readFileSync(join(layout.cluster, "PG_VERSION"), "utf8").trim();
  const { major } = locateBinaries();
  if (made === String(major)) return;
  throw new Error(
    `The data folder ${layout.database} was made by PostgreSQL ${made} and this release brings PostgreSQL ${major}. ` +
      "Back it up with the release that made it and restore it into a new folder, or set DATABASE_URL.",
  );
}

/** A cluster that root copied or restored belongs to root, under which PostgreSQL does not run. */
function giveCluster(path: string, identity: Identity): void {
  const stats = lstatSync(path);
  if (stats.uid !== 0) return;
  if (stats.isDirectory()) {
    for (const name of readdirSync(path, { recursive: true, encoding: "utf8" })) {
      const file = join(path, name);
      if (!lstatSync(file).isSymbolicLink()) chownSync(file, identity.uid, identity.gid);
    }
  }
  chownSync(path, identity.uid, identity.gid);
}

/**
 * Settings are given on the command line so that a new release of the service changes them for old data folders too.
 * What is not named here has PostgreSQL's own default: above all, commits wait for the disk.
 * Logs are terse because the details of an error quote the row that caused it, and rows hold what people said.
 */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  cluster_name: "parley",
  max_connections: "200",
  shared_buffers: "64MB",
  timezone: "UTC",
  // Ends the statement, and so the locks, of a process that was killed while its statement ran.
  client_connection_check_interval: "2s",
  logging_collector: "on",
  log_directory: "log",
  log_filename: "postgres-%Y%m%d-%H%M%S.log",
  log_rotation_size: "5MB",
  log_rotation_age: "0",
  log_min_messages: "warning",
  log_error_verbosity: "terse",
  log_checkpoints: "off",
  log_timezone: "UTC",
};

/**
 * Starts PostgreSQL in its own process group: it outlives this process, even if that is killed, and the next one
 * attaches to it. Resolves when the process exists, which says nothing yet about whether it serves.
 */
function launchPostmaster(
  layout: EmbeddedLayout,
  binFolder: string,
  port: number,
  identity: Identity | undefined,
): Promise<ChildProcess> {
  const program = join(binFolder, "postgres");
  const args = ["-D", layout.cluster, "-p", String(port)];
  for (const [name, value] of Object.entries(settings)) args.push("-c", `${name}=${value}`);
  const startLog = openSync(layout.startLog, "w", 0o600);
  const child = spawn(program, args, {
    cwd: layout.cluster,
    env: programEnvironment,
    detached: true,
    stdio: ["ignore", startLog, startLog],
    ...identityOptions(identity),
  });
  closeSync(startLog);
  child.unref();
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child));
    child.once("error", (error) => reject(cannotRun(program, error)));
  });
}

const tailLength = 1_500;

/** The last output of PostgreSQL: from before it opened its own log, otherwise the end of the newest log. */
function readLastWords(layout: EmbeddedLayout): string {
  const early = readFileSync(layout.startLog, "utf8").trim();
  const newest = existsSync(layout.logs) ? readdirSync(layout.logs).sort().at(-1) : undefined;
  if (!early.includes("redirecting log output") || newest === undefined) return early.slice(-tailLength);
  return readFileSync(join(layout.logs, newest), "utf8").trim().slice(-tailLength);
}

const pollMs = 20;
const wrongPassword = "28P01";
const duplicateDatabase = "42P04";
const describeServer = `SELECT current_setting('data_directory') AS folder,
  EXISTS (SELECT FROM pg_database WHERE datname = '${databaseName}') AS present`;

/** Recovery after a crash replays at most the default gigabyte of log, which even a slow disk does in this time. */
const recoveryTimeoutMs = 300_000;

/**
 * Waits until the postmaster serves our cluster and the database exists. Resolves to false when the postmaster ended
 * instead. The status in its file is asked before connecting, because each early connection would be an error in its log.
 */
async function awaitServing(
  pid: number,
  cluster: string,
  details: ConnectionDetails,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const startedAt = performance.now();
  let lastError: unknown;
  while (performance.now() - startedAt < recoveryTimeoutMs) {
    const file = readPostmasterFile(cluster);
    // Only once the file names it: the next process that stops PostgreSQL finds it there.
    if (file?.pid === pid) signal?.throwIfAborted();
    if (file?.pid === pid && file.status === "ready") {
      lastError = await tryDatabase(cluster, details);
      if (lastError === undefined) return true;
    }
    if (!isPostmasterOf(pid, cluster)) return false;
    await sleep(pollMs);
  }
  throw new Error(`PostgreSQL (process ${pid}) runs but did not become ready.`, { cause: lastError });
}

/** Returns the error when PostgreSQL is not ready to answer; throws when waiting cannot help. */
async function tryDatabase(cluster: string, details: ConnectionDetails): Promise<unknown> {
  try {
    const [served] = await query(details, describeServer);
    if (served?.["folder"] !== cluster) return new Error(`Port ${details.port} does not serve ${cluster}.`);
    if (served["present"] !== true) await createDatabase(details);
    return undefined;
  } catch (error) {
    if (sqlState(error) !== wrongPassword) return error;
    throw new Error("The embedded PostgreSQL refused the password in connection.json.", { cause: error });
  }
}

async function createDatabase(details: ConnectionDetails): Promise<void> {
  try {
    await query(details, `CREATE DATABASE ${databaseName}`);
  } catch (error) {
    if (sqlState(error) !== duplicateDatabase) throw error;
  }
}

async function query(details: ConnectionDetails, text: string): Promise<Record<string, unknown>[]> {
  const connectionString = connectionUrl(details, "postgres");
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 30_000 });
  // A connection that breaks between two statements is reported here; the failing statement reports it as well.
  let broken: Error | undefined;
  client.on("error", (error) => {
    broken = error;
  });
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    if (broken === undefined) await client.end();
  }
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
