import { chmodSync, existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What Linux has for files in memory. Containers often have only 64 MB of it. */
const MEMORY = "/dev/shm";
/** The databases of a test run hold less than half of this at any time. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * A new folder for databases of tests, in memory where there is enough. Each copy of a migrated database is a thousand
 * files that are removed after seconds; a file system on a disk spends more on them than PostgreSQL on the tests.
 */
export function makeDatabaseFolder(): string {
  const path = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), "parley-test-"));
  // As root the server runs as `nobody`, who must be able to pass through the folder that mkdtemp closed to others.
  chmodSync(path, 0o711);
  return path;
}

function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH_BYTES;
}
