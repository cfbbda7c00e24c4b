import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root, and `nobody` exists on every machine, so no account has to be created.
 * initdb needs the passwd entry, therefore a machine without one is refused here.
 */
export function findUnprivilegedIdentity(passwdFile = "/etc/passwd"): Identity {
  const line = readFileSync(passwdFile, "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("nobody:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) {
    throw new Error(
      "PostgreSQL cannot run as root and this machine has no `nobody` account to run it as. Start the service as an ordinary account, or set DATABASE_URL.",
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * Whether `nobody` can enter the folder, or for a folder that does not exist yet, the folders above it.
 * The service asks this when it runs as root, to choose its default data folder.
 */
export function canUnprivilegedIdentityReach(path: string): boolean {
  return findBarrier(path, findUnprivilegedIdentity()) === undefined;
}

/** The outermost existing folder (or file) on the way to the path that the identity may not enter (or read and run). */
export function findBarrier(path: string, identity: Identity): string | undefined {
  let existing = resolve(path);
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  const steps: string[] = [];
  for (let step = realpathSync(existing); ; step = dirname(step)) {
    steps.unshift(step);
    if (dirname(step) === step) break;
  }
  return steps.find((step) => !mayEnter(step, identity));
}

const searchBit = 1;
const readAndRunBits = 5;

function mayEnter(path: string, identity: Identity): boolean {
  const stats = statSync(path);
  const needed = stats.isDirectory() ? searchBit : readAndRunBits;
  return (permissionBits(stats, identity) & needed) === needed;
}

/**
 * The macOS `nobody` is written -2 in its passwd file and appears as 4294967294 in a stat, so the shift is unsigned.
 */
function permissionBits(stats: { mode: number; uid: number; gid: number }, identity: Identity): number {
  if (stats.uid === identity.uid >>> 0) return (stats.mode >> 6) & 7;
  if (stats.gid === identity.gid >>> 0) return (stats.mode >> 3) & 7;
  return stats.mode & 7;
}
