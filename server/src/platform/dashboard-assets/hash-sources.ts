import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** All that the built dashboard depends on. The lock file stands for every package that goes into it. */
const SOURCES = [
  "dashboard/index.html",
  "dashboard/package.json",
  "dashboard/public",
  "dashboard/src",
  "dashboard/tsconfig.json",
  "dashboard/vite.config.ts",
  "contract/src",
  "flow/src",
  "package-lock.json",
  "tsconfig.json",
];

/** One short text for the content of the dashboard's sources: it changes when a byte or a name of them does. */
export function hashSources(repository: string): string {
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap((source) => listFiles(repository, source))) {
    const bytes = readFileSync(join(repository, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex").slice(0, 24);
}

function listFiles(repository: string, path: string): string[] {
  if (!statSync(join(repository, path)).isDirectory()) return [path];
  return readdirSync(join(repository, path))
    .toSorted()
    .flatMap((name) => listFiles(repository, `${path}/${name}`));
}
