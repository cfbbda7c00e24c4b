import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { featureGraph, fileGraph, findCycles } from "./boundaries/import-cycles.ts";
import { checkBarrels, checkFolderNames } from "./boundaries/naming-rules.ts";
import { readImports } from "./boundaries/read-imports.ts";
import {
  checkDeclaredPackages,
  checkEnvironment,
  checkProcessImports,
  checkSql,
  checkWorkspaceImports,
} from "./boundaries/rules.ts";
import { formatViolation, readSourceFiles, type SourceFile, type Violation } from "./boundaries/source-file.ts";

interface Manifest {
  name?: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  exports?: Record<string, string>;
}

const root = resolve(import.meta.dirname, "..");
const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
const namesIn = ({ dependencies, devDependencies, optionalDependencies }: Manifest) =>
  Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });

const rootManifest = readManifest(".");
const workspaces = rootManifest.workspaces ?? [];
const files = readSourceFiles(root, workspaces);

function broken(check: (file: SourceFile) => Violation[]): string[] {
  return files.flatMap(check).map(formatViolation);
}

test("there are files to check", () => {
  expect(files.length).toBeGreaterThan(100);
});

test("a workspace imports only those below it, by name", () => {
  expect(broken(checkWorkspaceImports)).toEqual([]);
});

test("a workspace exports only the files that another one imports", () => {
  const imported = new Set(files.flatMap((file) => readImports(file).map(({ specifier }) => specifier)));
  // The SDKs are for others.
  const exported = workspaces
    .filter((folder) => !folder.startsWith("sdk/"))
    .flatMap((folder) => {
      const { name, exports } = readManifest(folder);
      return Object.keys(exports ?? {}).map((path) => `${name}${path.slice(1)}`);
    });
  expect(exported.length).toBeGreaterThan(workspaces.length);
  expect(exported.filter((specifier) => !imported.has(specifier))).toEqual([]);
});

test("every package a workspace imports is one it declares", () => {
  const declared = new Map(
    workspaces.map((name) => [name, new Set([...namesIn(readManifest(name)), ...namesIn(rootManifest)])]),
  );
  const declaredFor = ({ path }: SourceFile) => {
    // Each product we compare ourselves with has its own folder and packages.
    const peer = /^bench\/peers\/[^/]+/.exec(path)?.[0];
    return peer === undefined
      ? declared.get(workspaces.find((folder) => path.startsWith(`${folder}/`)) ?? "")
      : new Set(namesIn(readManifest(peer)));
  };
  expect(broken((file) => checkDeclaredPackages(file, declaredFor(file) ?? new Set()))).toEqual([]);
});

test("SQL is in stores and nowhere else", () => {
  expect(broken(checkSql)).toEqual([]);
});

test("only the entry points know how the parts are joined", () => {
  expect(broken(checkProcessImports)).toEqual([]);
});

test("the environment is read in one file", () => {
  expect(broken(checkEnvironment)).toEqual([]);
});

test("there are no barrels", () => {
  expect(broken(checkBarrels)).toEqual([]);
});

test("every folder is named after its subject", () => {
  expect(broken(checkFolderNames)).toEqual([]);
});

test("no file imports itself indirectly", () => {
  expect(findCycles(fileGraph(files))).toEqual([]);
});

test("no two server features depend on each other at run time", () => {
  expect(findCycles(featureGraph(files))).toEqual([]);
});
