import { builtinModules } from "node:module";
import { readImports, resolveImport } from "./read-imports.ts";
import { isTestCode, lineAt, type SourceFile, type Violation } from "./source-file.ts";

const ANYTHING = "*";

/** Which workspace may import which. An entry with a slash allows only that file or folder of the workspace. */
export const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  time: ["contract"],
  threads: ["time"],
  audio: ["contract"],
  telephony: ["audio", "time"],
  flow: ["contract"],
  voice: ["audio", "contract", "flow", "time"],
  providers: [
    "voice/ports",
    "voice/conformance",
    "voice/fakes",
    "telephony/carrier",
    "audio",
    "contract",
    "time",
    "threads",
  ],
  server: ["contract", "time", "threads", "audio", "telephony", "flow", "voice", "providers"],
  // The browser checks a flow with the same code that publishes it.
  dashboard: ["contract", "flow"],
  sdk: ["contract", "cli"],
  e2e: [ANYTHING],
  bench: [ANYTHING],
  tools: ["contract", "server", "providers", "cli"],
};

/** What the tests of a workspace may import beyond that. */
const ALLOWED_IN_TESTS: Readonly<Record<string, readonly string[]>> = { providers: ["voice/fakes"] };

/** Each workspace imports only those below it, and by name. */
export function checkWorkspaceImports(file: SourceFile): Violation[] {
  const own = workspaceOf(file.path);
  const allowed = ALLOWED_IMPORTS[own];
  if (!allowed) return [{ path: file.path, line: 1, rule: `${own} has no rule about what it may import` }];
  return readImports(file).flatMap(({ specifier, line }) => {
    const target = resolveImport(file.path, specifier);
    if (target === null || workspaceOf(target) === own) return [];
    const rule = specifier.startsWith(".")
      ? `${specifier} leaves the workspace; import it as @parley/${workspaceOf(target)}/...`
      : isAllowed(allowed, target) || (isTest(file) && isAllowed(ALLOWED_IN_TESTS[own] ?? [], target))
        ? null
        : `${own} may not import ${specifier}`;
    return rule ? [{ path: file.path, line, rule }] : [];
  });
}

/** npm lets a workspace import what another one installed; it breaks when the other stops. */
export function checkDeclaredPackages(file: SourceFile, declared: ReadonlySet<string>): Violation[] {
  return readImports(file).flatMap(({ specifier, line, typeOnly }) => {
    if (/^(\.|#|node:|@parley\/)/.test(specifier)) return [];
    const name = packageOf(specifier);
    const isKnown = declared.has(name) || (typeOnly && declared.has(`@types/${name}`)) || builtinModules.includes(name);
    return isKnown ? [] : [{ path: file.path, line, rule: `${name} is not in the package.json of its workspace` }];
  });
}

function isAllowed(allowed: readonly string[], target: string): boolean {
  const place = target.replace("/src/", "/").replace(/\.ts$/, "");
  return allowed.some((entry) => entry === ANYTHING || place === entry || place.startsWith(`${entry}/`));
}

function isTest({ path }: SourceFile): boolean {
  return path.endsWith(".test.ts") || path.includes("/testing/");
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

export function workspaceOf(path: string): string {
  return path.split("/")[0] ?? path;
}

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
