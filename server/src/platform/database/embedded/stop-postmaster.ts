import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedLayout } from "./embedded-layout.ts";
import type { EmbeddedPostgresLog } from "./embedded-postgres-log.ts";
import { isPostmasterOf, readPostmasterFile } from "./postmaster-process.ts";

const pollMs = 20;
const fastTimeoutMs = 30_000;
const immediateTimeoutMs = 10_000;

/**
 * Ends the PostgreSQL of this cluster and nothing else: "fast" first (disconnects everyone, writes a checkpoint), and
 * "immediate" when the disk does not take the checkpoint in time, which costs a recovery at the next start but no data.
 * Must be called with the start lock held.
 */
export async function stopPostmaster(layout: EmbeddedLayout, log: EmbeddedPostgresLog): Promise<void> {
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
