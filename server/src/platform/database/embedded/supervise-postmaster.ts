import type { ChildProcess } from "node:child_process";
import { type EnsureOptions, type EnsureOutcome, ensureServing, type Postmaster } from "./ensure-serving.ts";
import { waitForExclusiveLock } from "./file-lock.ts";
import { isProcessRunning } from "./postmaster-process.ts";
import { pruneLogs } from "./prune-logs.ts";

/** How long a death may go unseen when another process is the parent. */
const watchMs = 500;
const pruneLogsMs = 60_000;
const firstRetryMs = 100;
const longestRetryMs = 2_000;
/** Refusals in the first seconds after a kill are not logged; lasting ones are logged every half minute. */
const quietMs = 5_000;
const reportMs = 30_000;

/**
 * Restarts PostgreSQL whenever it ends, until the signal. Several processes may do this for one cluster: the start lock
 * lets one of them start it and the others then find it running.
 *
 * Watching (postmaster alive) -> restarting (dead; attempts with growing pauses) -> watching.
 */
export async function supervisePostmaster(
  first: Postmaster,
  options: Omit<EnsureOptions, "mayChangePort"> & { readonly signal: AbortSignal },
): Promise<void> {
  const { log, signal, layout } = options;
  let postmaster = first;
  let prunedAt = performance.now();
  while (!signal.aborted) {
    await pause(watchMs, postmaster.child, signal);
    if (signal.aborted) return;
    if (performance.now() - prunedAt > pruneLogsMs) {
      pruneLogs(layout.logs, log);
      prunedAt = performance.now();
    }
    if (isProcessRunning(postmaster.pid)) continue;
    log.warn({ pid: postmaster.pid }, "PostgreSQL exited unexpectedly; restarting it");
    const downAt = performance.now();
    const restarted = await restart(options);
    if (restarted === undefined) return;
    postmaster = restarted;
    const downMs = Math.round(performance.now() - downAt);
    log.info({ pid: postmaster.pid, downMs, startedHere: postmaster.child !== undefined }, "PostgreSQL restarted");
  }
}

async function restart(
  options: Omit<EnsureOptions, "mayChangePort"> & { readonly signal: AbortSignal },
): Promise<Postmaster | undefined> {
  const { log, signal } = options;
  const downAt = performance.now();
  let reportedAt = -reportMs;
  for (let retryMs = firstRetryMs; !signal.aborted; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
    const attempt = await attemptRestart(options);
    if (attempt.outcome === "serving") return attempt.postmaster;
    if (signal.aborted) return undefined;
    const isWorthSaying = !attempt.isUsual || performance.now() - downAt > quietMs;
    if (isWorthSaying && performance.now() - reportedAt > reportMs) {
      reportedAt = performance.now();
      const downMs = Math.round(reportedAt - downAt);
      log.error({ reason: attempt.reason, downMs }, "PostgreSQL could not be started; retrying");
    }
    await pause(retryMs, undefined, signal);
  }
  return undefined;
}

/** Whatever goes wrong is a reason to try again: the data folder may be back, the disk may have room again. */
async function attemptRestart(
  options: Omit<EnsureOptions, "mayChangePort"> & { readonly signal: AbortSignal },
): Promise<EnsureOutcome> {
  try {
    const release = await waitForExclusiveLock(options.layout.startLock, {
      timeoutMs: reportMs,
      signal: options.signal,
    });
    if (release === undefined)
      return { outcome: "refused", reason: "another process holds the start lock", isUsual: false };
    try {
      return await ensureServing({ ...options, mayChangePort: false });
    } finally {
      release();
    }
  } catch (error) {
    return { outcome: "refused", reason: error instanceof Error ? error.message : String(error), isUsual: false };
  }
}

/** Ends at the time, at the signal, or when our child ends, whichever is first. It keeps no process alive. */
function pause(durationMs: number, child: ChildProcess | undefined, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      child?.off("exit", finish);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, durationMs);
    timer.unref();
    child?.once("exit", finish);
    signal.addEventListener("abort", finish, { once: true });
  });
}
