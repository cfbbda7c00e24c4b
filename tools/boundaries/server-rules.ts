import { readImports, resolveImport } from "./read-imports.ts";
import { isTestCode, lineAt, type SourceFile, type Violation } from "./source-file.ts";
import { workspaceOf } from "./workspace-rules.ts";

const SERVER = "server/src/";
/** Where the parts are joined: the running service, and the operator's command line. */
const JOINS_PARTS = [`${SERVER}start/`, `${SERVER}cli/`];
const ENTRY_POINTS = new Set([`${SERVER}main.ts`, `${SERVER}parley.ts`]);

/** Parts are joined in one place, and nothing that is joined knows where. */
export function checkProcessImports(file: SourceFile): Violation[] {
  const mayJoin =
    JOINS_PARTS.some((folder) => file.path.startsWith(folder)) ||
    ENTRY_POINTS.has(file.path) ||
    isTestCode(file.path) ||
    ["e2e", "bench"].includes(workspaceOf(file.path));
  if (mayJoin) return [];
  return readImports(file).flatMap(({ specifier, line }) => {
    const target = resolveImport(file.path, specifier);
    if (!JOINS_PARTS.some((folder) => target?.startsWith(folder))) return [];
    return [{ path: file.path, line, rule: `${specifier}: only the entry points may import from start/ and cli/` }];
  });
}

// Statements in strings, and the builder's verbs. The words in between keep English sentences out.
const STATEMENT =
  /["'`]\s*(?:\/\*[^*]*\*\/\s*)?(?:select\b[^"'`]{1,400}?\bfrom\b|insert\s+into\b|update\b[^"'`]{1,200}?\bset\b|delete\s+from\b|with\s+\w+\s+as\b|lock\s+table\b|truncate\s+table\b)/g;
const BUILDER = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(?:<[^`>]*>)?`/g;
const MAY_HOLD_SQL = [`${SERVER}platform/database/`, `${SERVER}platform/jobs/`];

/** The statements on a table are found in the stores, and nowhere else. */
export function checkSql(file: SourceFile): Violation[] {
  if (!file.path.startsWith(SERVER) || isTestCode(file.path) || file.path.endsWith("-store.ts")) return [];
  if (MAY_HOLD_SQL.some((folder) => file.path.startsWith(folder))) return [];
  return [STATEMENT, BUILDER].flatMap((pattern) =>
    [...file.text.matchAll(pattern)].map((match) => ({
      path: file.path,
      line: lineAt(file.text, match.index),
      rule: "SQL belongs in a *-store.ts file",
    })),
  );
}

const MAY_READ_ENVIRONMENT = new Set([`${SERVER}platform/config/read-settings.ts`]);
const OUTSIDE_THE_SERVICE = ["sdk", "tools", "e2e", "bench"];
const ENVIRONMENT = /\bprocess\.env\b|\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*["']node:process["']/g;

/** Settings are read once and passed down; a variable read elsewhere is a setting that cannot be found. */
export function checkEnvironment(file: SourceFile): Violation[] {
  if (OUTSIDE_THE_SERVICE.includes(workspaceOf(file.path)) || isTestCode(file.path)) return [];
  if (MAY_READ_ENVIRONMENT.has(file.path)) return [];
  return [...file.text.matchAll(ENVIRONMENT)].map((match) => ({
    path: file.path,
    line: lineAt(file.text, match.index),
    rule: "process.env is read in server/src/platform/config/read-settings.ts only",
  }));
}

/** The folder under server/src that holds the file: an area, or a feature inside one. */
export function featureOf(path: string): string {
  return path.startsWith(SERVER) ? path.slice(SERVER.length, Math.max(path.lastIndexOf("/"), SERVER.length)) : "";
}
