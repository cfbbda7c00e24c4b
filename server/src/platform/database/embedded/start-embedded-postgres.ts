import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chooseIdentity, isRoot, refuseUnreachable } from "./choose-identity.ts";
import { connectionUrl, readConnectionFile } from "./connection-file.ts";
import { createEmbeddedLayout, type EmbeddedLayout } from "./embedded-layout.ts";
import type { EmbeddedPostgresLog } from "./embedded-postgres-log.ts";
import { ensureServing, type Postmaster, refuseOtherMajor } from "./ensure-serving.ts";
import { type ReleaseLock, tryExclusiveLock, trySharedLock, waitForExclusiveLock } from "./file-lock.ts";
import { initialiseCluster, isInitialised, removeUnfinishedClusters } from "./initialise-cluster.ts";
import { locateBinaries } from "./locate-binaries.ts";
import { isPostmasterOf, readPostmasterFile } from "./postmaster-process.ts";
import { prepareBinaries } from "./prepare-binaries.ts";
import { supervisePostmaster } from "./supervise-postmaster.ts";
import { findUnprivilegedIdentity } from "./unprivileged-identity.ts";

export interface EmbeddedPostgres {
  /** Address of the `parley` database on loopback. It stays the same while this process lives, also after a restart. */
  readonly url: string;
  /** Stops PostgreSQL when no other live process uses it; always gives up this process's claim on it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: EmbeddedPostgresLog;
}

/** Another process may be replaying a crash; the lock frees itself when that process dies. */
const lockTimeoutMs = 330_000;
const quietMs = 5_000;
/** After a kill, PostgreSQL refuses to start until the last old process has let go of its memory. */
const refusedTimeoutMs = 20_000;
const longestRetryMs = 1_000;

/**
 * Starts the real PostgreSQL that npm installed, on its own data folder, or attaches to the one that already serves
 * it. Any number of processes may do so for the same folder; each keeps it running, the last to stop ends it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  const startedAt = performance.now();
  locateBinaries();
  const layout = prepareLayout(options.dataDir);
  const releaseStart = await waitForTurn(layout, log);
  try {
    if (!isInitialised(layout)) await initialise(layout, log);
    refuseOtherMajor(layout);
    const { releaseClaim, isFirst } = claim(layout);
    try {
      const postmaster = await insistOnServing(layout, log, isFirst);
      const durationMs = Math.round(performance.now() - startedAt);
      const attached = postmaster.child === undefined;
      log.info({ pid: postmaster.pid, attached, durationMs }, "embedded PostgreSQL is ready");
      return supervised(layout, log, postmaster, releaseClaim);
    } catch (error) {
      releaseClaim();
      throw error;
    }
  } finally {
    releaseStart();
  }
}

/** Refuses before it makes any folder, so that a wrong setting leaves nothing behind. */
function prepareLayout(dataDir: string): EmbeddedLayout {
  if (isRoot() && !existsSync(join(dataDir, "postgres"))) refuseUnreachable(dataDir, findUnprivilegedIdentity());
  const layout = createEmbeddedLayout(dataDir, { isRoot: isRoot() });
  refuseForeignFolder(layout);
  return layout;
}

async function waitForTurn(layout: EmbeddedLayout, log: EmbeddedPostgresLog): Promise<ReleaseLock> {
  const release = await waitForExclusiveLock(layout.startLock, { timeoutMs: quietMs });
  if (release !== undefined) return release;
  log.info({ folder: layout.root }, "waiting for another process to start PostgreSQL");
  const late = await waitForExclusiveLock(layout.startLock, { timeoutMs: lockTimeoutMs });
  if (late === undefined) throw new Error(`Another process has been starting ${layout.root} for minutes.`);
  return late;
}

function refuseForeignFolder(layout: EmbeddedLayout): void {
  try {
    accessSync(layout.root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `This account may not write to ${layout.root}. Start the service as the account that made it, or set PARLEY_DATA_DIR.`,
      { cause: error },
    );
  }
}

async function initialise(layout: EmbeddedLayout, log: EmbeddedPostgresLog): Promise<void> {
  await removeUnfinishedClusters(layout, log);
  const identity = chooseIdentity(layout);
  const binaries = prepareBinaries(locateBinaries(), layout.binaries, identity);
  await initialiseCluster(layout, join(binaries.folder, "bin"), identity);
}

/** Taken while the start lock is held, so that no other process decides to be the last one in between. */
function claim(layout: EmbeddedLayout): { releaseClaim: ReleaseLock; isFirst: boolean } {
  const alone = tryExclusiveLock(layout.inUseLock);
  alone?.();
  const releaseClaim = trySharedLock(layout.inUseLock);
  if (releaseClaim === undefined)
    throw new Error(`${layout.inUseLock} is locked by a program other than this service.`);
  return { releaseClaim, isFirst: alone !== undefined };
}

async function insistOnServing(
  layout: EmbeddedLayout,
  log: EmbeddedPostgresLog,
  mayChangePort: boolean,
): Promise<Postmaster> {
  const startedAt = performance.now();
  for (let retryMs = 100; ; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
    const attempt = await ensureServing({ layout, log, mayChangePort });
    if (attempt.outcome === "serving") return attempt.postmaster;
    if (performance.now() - startedAt > refusedTimeoutMs) {
      throw new Error(`The embedded PostgreSQL does not start: ${attempt.reason}`);
    }
    await sleep(retryMs);
  }
}

function supervised(
  layout: EmbeddedLayout,
  log: EmbeddedPostgresLog,
  postmaster: Postmaster,
  releaseClaim: ReleaseLock,
): EmbeddedPostgres {
  const ending = new AbortController();
  const supervision = supervisePostmaster(postmaster, { layout, log, signal: ending.signal });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    ending.abort();
    await supervision;
    await leave(layout, log, releaseClaim);
  };
  return {
    url: connectionUrl(readConnectionFile(layout.connectionFile)),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function leave(layout: EmbeddedLayout, log: EmbeddedPostgresLog, releaseClaim: ReleaseLock): Promise<void> {
  const releaseStart = await waitForExclusiveLock(layout.startLock, { timeoutMs: 60_000 });
  releaseClaim();
  if (releaseStart === undefined) {
    log.warn({}, "PostgreSQL left running because another process is starting it");
    return;
  }
  try {
    const alone = tryExclusiveLock(layout.inUseLock);
    if (alone === undefined) return;
    alone();
    await stopPostmaster(layout, log);
  } finally {
    releaseStart();
  }
}

const pollMs = 20;
const fastTimeoutMs = 30_000;
const immediateTimeoutMs = 10_000;

/**
 * Ends the PostgreSQL of this cluster and nothing else: "fast" first (disconnects everyone, writes a checkpoint), and
 * "immediate" when the disk does not take the checkpoint in time, which costs a recovery at the next start but no data.
 * Must be called with the start lock held.
 */
async function stopPostmaster(layout: EmbeddedLayout, log: EmbeddedPostgresLog): Promise<void> {
  const pid = readPostmasterFile(layout.cluster)?.pid;
  if (pid === undefined || !isPostmasterOf(pid, layout.cluster)) return;
  process.kill(pid, "SIGINT");
  if (await hasEnded(pid, layout.cluster, fastTimeoutMs)) return;
  log.warn({ pid, timeoutMs: fastTimeoutMs }, "PostgreSQL did not stop in time; stopping it without a checkpoint");
  process.kill(pid, "SIGQUIT");
  if (await hasEnded(pid, layout.cluster, immediateTimeoutMs)) return;
  log.error({ pid }, "PostgreSQL did not stop");
}

async function hasEnded(pid: number, cluster: string, timeoutMs: number): Promise<boolean> {
  const startedAt = performance.now();
  while (isPostmasterOf(pid, cluster)) {
    if (performance.now() - startedAt > timeoutMs) return false;
    await sleep(pollMs);
  }
  return true;
}
