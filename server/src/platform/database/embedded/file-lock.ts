import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Locks between processes that the kernel releases when a process dies, however it dies. Node offers no such lock itself;
 * SQLite's lock on an empty database file is one. Nothing is ever written to these files.
 *
 * A process that holds such a lock must not open the file in any other way: POSIX drops a process's locks on a file when
 * the process closes any descriptor of it.
 */
export type ReleaseLock = () => void;

/** Holding the connection here keeps the collector from closing it, which would drop the lock. */
const held = new Set<DatabaseSync>();

const sqliteBusy = 5;

export function tryExclusiveLock(path: string): ReleaseLock | undefined {
  return tryLock(path, (connection) => connection.exec("BEGIN EXCLUSIVE"));
}

export function trySharedLock(path: string): ReleaseLock | undefined {
  return tryLock(path, (connection) => {
    connection.exec("BEGIN");
    connection.prepare("SELECT count(*) FROM sqlite_schema").get();
  });
}

function tryLock(path: string, take: (connection: DatabaseSync) => void): ReleaseLock | undefined {
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    take(connection);
  } catch (error) {
    connection.close();
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) return undefined;
    throw error;
  }
  held.add(connection);
  return () => {
    if (held.delete(connection)) connection.close();
  };
}

const pollMs = 25;

/** Waits for the exclusive lock; undefined when the wait took longer than `timeoutMs`. */
export async function waitForExclusiveLock(
  path: string,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<ReleaseLock | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const release = tryExclusiveLock(path);
    if (release !== undefined) return release;
    if (performance.now() - startedAt > options.timeoutMs) return undefined;
    await sleep(pollMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}
