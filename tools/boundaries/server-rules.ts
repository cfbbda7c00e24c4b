import { readImports, resolveImport } from "./read-imports.ts";
import { isTestCode, lineAt, type SourceFile, type Violation } from "./source-file.ts";
import { workspaceOf } from "./workspace-rules.ts";

const SERVER = "server/src/";
const PROCESSES = `${SERVER}processes/`;
const ENTRY_POINTS = new Set([`${SERVER}main.ts`, `${SERVER}parley.ts`]);

/**
 * A feature keeps its tables to itself: others call its named functions, never its store. Where the parts are joined a
 * store may be named, to be handed to its own feature.
 */
export function checkStoreImports(file: SourceFile): Violation[] {
  if (!file.path.startsWith(SERVER) || file.path.startsWith(PROCESSES) || isTestCode(file.path)) return [];
  return readImports(file).flatMap(({ specifier, line }) => {
    const target = resolveImport(file.path, specifier);
    // Other workspaces have stores of other things, such as clips of sound.
    const isStore = target?.startsWith(SERVER) === true && target.endsWith("-store.ts");
    if (!isStore || featureOf(target) === featureOf(file.path)) return [];
    return [{ path: file.path, line, rule: `${specifier} is the store of another feature` }];
  });
}

/** Parts are joined in one place, and nothing that is joined knows where. */
export function checkProcessImports(file: SourceFile): Violation[] {
  const mayJoin =
    file.path.startsWith(PROCESSES) ||
    ENTRY_POINTS.has(file.path) ||
    isTestCode(file.path) ||
    ["e2e", "bench"].includes(workspaceOf(file.path));
  if (mayJoin) return [];
  return readImports(file).flatMap(({ specifier, line }) =>
    resolveImport(file.path, specifier)?.startsWith(PROCESSES)
      ? [{ path: file.path, line, rule: `${specifier}: only the entry points may import from processes/` }]
      : [],
  );
}

// Statements in strings, and the builder's verbs. The words in between keep English sentences out.
const STATEMENT =
  /["'`]\s*(?:\/\*[^*]*\*\/\s*)?(?:select\b[^"'`]{1,400}?\bfrom\b|insert\s+into\b|update\b[^"'`]{1,200}?\bset\b|delete\s+from\b|with\s+\w+\s+as\b|lock\s+table\b|truncate\s+table\b)/g;
const BUILDER = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(?:<[^`>]*>)?`/g;
const MAY_HOLD_SQL = [`${SERVER}database/`, `${SERVER}jobs/`];

/** Whoever wants to know what a table is asked reads the stores, and nothing else. */
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

const MAY_READ_ENVIRONMENT = new Set([`${SERVER}config/read-settings.ts`]);
const OUTSIDE_THE_SERVICE = ["tools", "e2e", "bench"];
const ENVIRONMENT = /\bprocess\.env\b|\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*["']node:process["']/g;

/** Settings are read once and passed down; a variable read elsewhere is a setting nobody can find. */
export function checkEnvironment(file: SourceFile): Violation[] {
  if (OUTSIDE_THE_SERVICE.includes(workspaceOf(file.path)) || isTestCode(file.path)) return [];
  if (MAY_READ_ENVIRONMENT.has(file.path)) return [];
  return [...file.text.matchAll(ENVIRONMENT)].map((match) => ({
    path: file.path,
    line: lineAt(file.text, match.index),
    rule: "process.env is read in server/src/config/read-settings.ts only",
  }));
}

/** The folder under server/src, or the file itself where it lies directly there. */
export function featureOf(path: string): string {
  return path.startsWith(SERVER) ? (path.slice(SERVER.length).split("/")[0] ?? "") : "";
}
