import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { tryExclusiveLock } from "../../platform/database/embedded/file-lock.ts";

/**
 * Shows the other workers of this machine that a worker is alive, and finds those that are not. Each worker holds a lock on
 * a file of its own in the data folder. The kernel releases it with the process, however that ends, and keeps it while
 * the process is only stopped: who can take the lock knows that its holder is dead.
 *
 * Locks are trusted on one machine only, so that the names of the files begin with the identity of the running kernel.
 * Containers on one machine share it, and with it the locks on a shared data folder; another machine that sees the same
 * folder over a network has a different one.
 */
export interface WorkerPresence {
  /**
   * Hands over the ids of the workers of this machine that are certainly dead. They are forgotten once `handle` resolves; when
   * it rejects they are found again.
   */
  reportDead(handle: (workerIds: readonly string[]) => Promise<void>): Promise<void>;
  /** The worker has no calls any more. */
  close(): void;
}

const SUFFIX = ".lock";
/** Files of another kernel are of another machine, or were left behind when this one went down. */
const FOREIGN_FILE_DAYS_MAX = 30;

export function openWorkerPresence(dataDir: string, workerId: string, kernel = kernelIdentity()): WorkerPresence {
  const folder = join(dataDir, "workers");
  const prefix = `${kernel}-`;
  const path = join(folder, `${prefix}${workerId}${SUFFIX}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOldForeignFiles(folder, prefix);
  // It gets its name only when it is locked: nobody must ever find it without its holder.
  const unnamed = join(folder, `${randomUUID()}.new`);
  const release = tryExclusiveLock(unnamed);
  if (release === undefined) throw new Error(`${unnamed} is locked by another process`);
  renameSync(unnamed, path);
  // SQLite makes it beside the file that it locks, and would leave it behind when the process is killed.
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

/** Linux draws it anew at every boot, and containers see that of their machine. */
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
