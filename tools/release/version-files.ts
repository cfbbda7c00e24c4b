import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where the version of a release is written, beside the manifests of the workspaces and the chart. */
const PATTERNS = [
  "sdk/n8n/package.json",
  "sdk/python/pyproject.toml",
  "sdk/python/src/parley/_version.py",
  "sdk/typescript/src/version.ts",
  "sdk/*/README.md",
  "docs/{guides,operations,recipes}/**/*.md",
];

/** Paths, relative to the repository. */
export function findVersionFiles(root: string, version: string): string[] {
  return globSync(PATTERNS, { cwd: root })
    .filter((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return text !== replaceVersion(text, version, "");
    })
    .sort();
}

/** Leaves addresses and longer versions that contain the same digits. */
export function replaceVersion(text: string, from: string, to: string): string {
  return text.replaceAll(new RegExp(`(?<![\\d.])${RegExp.escape(from)}(?!\\.?\\d)`, "g"), to);
}
