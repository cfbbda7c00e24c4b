import { builtinModules } from "node:module";
import { readImports, resolveImport } from "./read-imports.ts";
import type { SourceFile, Violation } from "./source-file.ts";

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
