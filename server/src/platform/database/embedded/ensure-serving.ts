import type { ChildProcess } from "node:child_process";
import { chownSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { awaitServing } from "./await-serving.ts";
import { chooseIdentity } from "./choose-identity.ts";
import { choosePort, isPortFree } from "./choose-port.ts";
import { readConnectionFile, writeConnectionFile } from "./connection-file.ts";
import type { EmbeddedLayout } from "./embedded-layout.ts";
import type { EmbeddedPostgresLog } from "./embedded-postgres-log.ts";
import { launchPostmaster, readLastWords } from "./launch-postmaster.ts";
import { locateBinaries } from "./locate-binaries.ts";
import { isPostmasterOf, readPostmasterFile, removeStalePostmasterFile } from "./postmaster-process.ts";
import { prepareBinaries } from "./prepare-binaries.ts";
import { pruneLogs } from "./prune-logs.ts";
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
