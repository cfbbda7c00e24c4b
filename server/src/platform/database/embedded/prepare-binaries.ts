import { randomBytes } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { InstalledBinaries } from "./locate-binaries.ts";
import { findBarrier, type Identity } from "./unprivileged-identity.ts";

/**
 * The folder with bin/, lib/ and share/ that the identity can run. Normally that is the installed package itself. It is a
 * copy below the data folder when the checkout is closed to `nobody` (a root home is 0700) or may not be written to.
 *
 * Must be called with the start lock held and no PostgreSQL running: it removes copies of other versions.
 */
export function prepareBinaries(
  installed: InstalledBinaries,
  copies: string,
  identity: Identity | undefined,
): { readonly folder: string; readonly copied: boolean } {
  const { packageFolder } = installed;
  if (isReachable(packageFolder, identity) && createLibraryLinks(packageFolder)) {
    return { folder: join(packageFolder, "native"), copied: false };
  }
  const copy = join(copies, installed.version);
  if (existsSync(copy)) return { folder: join(copy, "native"), copied: false };
  rmSync(copies, { recursive: true, force: true });
  const unfinished = join(copies, `.copying-${randomBytes(6).toString("hex")}`);
  makeFolder(copies);
  makeFolder(unfinished);
  copyFolder(join(packageFolder, "native"), join(unfinished, "native"));
  if (!createLibraryLinks(unfinished)) throw new Error(`Cannot write to ${unfinished}.`);
  renameSync(unfinished, copy);
  return { folder: join(copy, "native"), copied: true };
}

function isReachable(packageFolder: string, identity: Identity | undefined): boolean {
  return identity === undefined || findBarrier(join(packageFolder, "native/bin/postgres"), identity) === undefined;
}

/**
 * The package lists the symbolic links that npm cannot carry; without them PostgreSQL does not find its libraries. Its own
 * install script would make them, but install scripts are off. False when the folder may not be written to.
 */
function createLibraryLinks(packageFolder: string): boolean {
  const links = JSON.parse(readFileSync(join(packageFolder, "native/pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EACCES" || code === "EPERM" || code === "EROFS") return false;
      if (code !== "EEXIST") throw error;
    }
  }
  return true;
}

/** Modes are set explicitly: the installed files may be closed to others, and so may the umask make the copies. */
function copyFolder(from: string, to: string): void {
  makeFolder(to);
  const isProgramFolder = basename(from) === "bin";
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyFolder(join(from, entry.name), target);
    else if (entry.isFile() && !entry.name.endsWith(".a")) {
      copyFileSync(join(from, entry.name), target);
      chmodSync(target, isProgramFolder ? 0o755 : 0o644);
    }
  }
}

function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}
