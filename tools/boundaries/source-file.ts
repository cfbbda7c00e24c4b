import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A source file, by its path from the root of the repository with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A broken rule, with its location. */
export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
}

const NOT_OURS = new Set(["node_modules", "dist", "coverage"]);
const SOURCE = /\.(ts|tsx|mts|mjs)$/;

/** Reads every source file of the named workspaces. */
export function readSourceFiles(root: string, workspaces: readonly string[]): SourceFile[] {
  const files: SourceFile[] = [];
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && !NOT_OURS.has(entry.name) && !entry.name.startsWith(".")) visit(path);
      if (entry.isFile() && SOURCE.test(entry.name)) files.push({ path, text: readFileSync(join(root, path), "utf8") });
    }
  };
  for (const workspace of workspaces) visit(workspace);
  return files;
}

/** Tests and what serves only them may access internals. */
export function isTestCode(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.split("/").includes("testing");
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

export function formatViolation({ path, line, rule }: Violation): string {
  return `${path}:${line}: ${rule}`;
}
