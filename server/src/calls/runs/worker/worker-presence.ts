import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { tryExclusiveLock } from "../../../platform/database/embedded/file-lock.ts";

/**
 * Shows the other workers on this machine that a worker is alive, and detects those that are dead. Each worker holds a
 * lock on its own file in the data folder. The kernel releases the lock when the process ends, however that happens,
 * and keeps it while the process is only suspended: if another process can take the lock, its holder is dead. Locks are
 * trusted on one machine only, so the names of the files begin with the identity of the running kernel. Containers on
 * one machine share it, and with it the locks on a shared data folder; another machine that mounts the same folder has
 * a different one.
 */
export interface WorkerPresence {
  /**
   * Passes on the ids of workers on this machine that are certainly dead. They are forgotten once `handle` resolves; if
   * it rejects they are found again.
   */
  reportDead(handle: (workerIds: readonly string[]) => Promise<void>): Promise<void>;
  /** The worker has no more calls. */
  close(): void;
}

const SUFFIX = ".lock";
/** Files of another kernel belong to another machine, or are left over from before a reboot. */
const FOREIGN_FILE_DAYS_MAX = 30;

export function openWorkerPresence(dataDir: string, workerId: string, kernel = kernelIdentity()): WorkerPresence {
  const folder = join(dataDir, "workers");
  const prefix = `${kernel}-`;
  const path = join(folder, `${prefix}${workerId}${SUFFIX}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOldForeignFiles(folder, prefix);
  // It gets its name only once it is locked: it must never be found without its holder.
  const unnamed = join(folder, `${randomUUID()}.new`);
  const release = tryExclusiveLock(unnamed);
  if (release === undefined) throw new Error(`${unnamed} is locked by another process`);
  renameSync(unnamed, path);
  // SQLite creates it beside the locked file, and would leave it behind when the process is killed.
  rmSync(`${unnamed}-journal`, { force: true });

  return {
    async reportDead(handle) {
      const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith(SUFFIX));
      const found = names
        .map((name) => ({ path: join(folder, name), workerId: name.slice(prefix.length, -SUFFIX.length) }))
        .filter((other) => other.workerId !== workerId)
        .flatMap((other) => {
          const unlock = tryExclusiveLock(other.path);
          return unlock === undefined ? [] : [{ ...other, unlock }];
        });
      if (found.length === 0) return;
      try {
        await handle(found.map((dead) => dead.workerId));
        for (const dead of found) rmSync(dead.path, { force: true });
      } finally {
        for (const dead of found) dead.unlock();
      }
    },
    close() {
      rmSync(path, { force: true });
      release();
    },
  };
}

/** Linux generates it at every boot, and containers see that of their host. */
function kernelIdentity(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return hostname();
  }
}

function removeOldForeignFiles(folder: string, prefix: string): void {
  const oldestMs = Date.now() - FOREIGN_FILE_DAYS_MAX * 86_400_000;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(prefix) && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? oldestMs) < oldestMs)
      rmSync(path, { force: true });
  }
}
