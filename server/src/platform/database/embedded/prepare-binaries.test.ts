import { chmodSync, cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isRoot } from "./choose-identity.ts";
import { type InstalledBinaries, locateBinaries } from "./locate-binaries.ts";
import { prepareBinaries } from "./prepare-binaries.ts";
import { runProgram } from "./run-program.ts";
import { openFolder } from "./testing/embedded-scene.ts";
import { findUnprivilegedIdentity } from "./unprivileged-identity.ts";

let folder: string;
let closed: InstalledBinaries;

beforeAll(() => {
  folder = openFolder();
  const packageFolder = join(folder, "home/package");
  const installed = locateBinaries();
  cpSync(installed.packageFolder, packageFolder, { recursive: true, verbatimSymlinks: true });
  const libraries = join(packageFolder, "native/lib");
  for (const entry of readdirSync(libraries, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) rmSync(join(libraries, entry.name));
  }
  closed = { ...installed, packageFolder };
}, 20_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("runs from a copy when the installed binaries cannot be prepared where they are, and copies once", async () => {
  // Root is not stopped by a read-only folder but needs one that nobody may enter; for an ordinary account it is the reverse.
  const identity = isRoot() ? findUnprivilegedIdentity() : undefined;
  if (isRoot()) chmodSync(join(folder, "home"), 0o700);
  else chmodSync(join(closed.packageFolder, "native/lib"), 0o555);
  const copies = join(folder, "copies");
  const first = prepareBinaries(closed, copies, identity);
  expect(first).toEqual({ folder: join(copies, closed.version, "native"), copied: true });
  for (const program of ["postgres", "initdb"]) {
    await runProgram(join(first.folder, "bin", program), ["--version"], identity);
  }
  expect(prepareBinaries(closed, copies, identity)).toEqual({ ...first, copied: false });

  chmodSync(join(folder, "home"), 0o755);
  chmodSync(join(closed.packageFolder, "native/lib"), 0o755);
});

it("creates the missing library links in place when allowed, and then the program runs", async () => {
  const identity = isRoot() ? findUnprivilegedIdentity() : undefined;
  const copies = join(folder, "unused");
  const prepared = prepareBinaries(closed, copies, identity);
  expect(prepared).toEqual({ folder: join(closed.packageFolder, "native"), copied: false });
  expect(existsSync(copies)).toBe(false);
  await runProgram(join(prepared.folder, "bin/postgres"), ["--version"], identity);
});

it("says to set DATABASE_URL on a platform without an embedded PostgreSQL", () => {
  expect(() => locateBinaries("win32-x64")).toThrow(/no embedded PostgreSQL for win32-x64.*DATABASE_URL/);
});
