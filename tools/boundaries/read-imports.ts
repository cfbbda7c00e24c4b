import { posix } from "node:path";
import { lineAt, type SourceFile } from "./source-file.ts";

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Erased before the code runs: it costs nothing and creates no cycle. */
  readonly typeOnly: boolean;
}

const STATEMENT = /^[ \t]*(?:import|export)\s+(type\s+)?(?:[^"'`;]*?\sfrom\s+)?["']([^"']+)["']/gm;
const DYNAMIC = /\bimport\(\s*["']([^"']+)["']\s*\)(\.[A-Z])?/g;
// A thread or child program started from one of our files runs that file as much as an import does.
const STARTED = /new URL\(\s*["'](\.[^"']+\.m?ts)["']\s*,\s*import\.meta\.url/g;

/** Finds what a file imports: statements, re-exports, dynamic imports of a literal, and files started as a program. */
export function readImports({ text }: SourceFile): Import[] {
  const found: Import[] = [];
  const add = (match: RegExpExecArray, specifier: string | undefined, typeOnly: boolean) => {
    if (specifier) found.push({ specifier, line: lineAt(text, match.index + match[0].length), typeOnly });
  };
  for (const match of text.matchAll(STATEMENT)) add(match, match[2], match[1] !== undefined);
  for (const match of text.matchAll(DYNAMIC)) add(match, match[1], match[2] !== undefined);
  for (const match of text.matchAll(STARTED)) add(match, match[1], false);
  return found;
}

/** The path from the root that an import resolves to, or null for a third-party package or Node. */
export function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  const [, workspace, rest] = /^@parley\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (!workspace) return null;
  return rest ? `${workspace}/src/${rest}.ts` : workspace;
}
