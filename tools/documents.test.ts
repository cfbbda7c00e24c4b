import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { ALLOWED_IMPORTS, workspaceOf } from "./boundaries/rules.ts";
import { findLinks, findPaths, findScripts, type Mention } from "./documents/read-document.ts";

const root = resolve(import.meta.dirname, "..");
const documents = globSync(
  [
    "*.md",
    "docs/**/*.md",
    "{contract,time,threads,audio,telephony,flow,voice,providers,server,e2e,bench,tools,examples,deploy}/**/*.md",
  ],
  {
    cwd: root,
    exclude: (name) => name === "node_modules",
  },
).toSorted();
const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifest = JSON.parse(read("package.json")) as { workspaces: string[]; scripts: Record<string, string> };
// Also the names of workspaces that do not exist: a path into one would be a broken reference.
// Not what `npm run pack` writes, which only those have who ran it.
const folders = new Set([...readdirSync(root).filter((name) => name !== "dist"), ...Object.keys(ALLOWED_IMPORTS)]);

function wrong(path: string, mentions: readonly Mention[], isThere: (target: string) => boolean): string[] {
  return mentions.filter(({ target }) => !isThere(target)).map(({ target, line }) => `${path}:${line}: ${target}`);
}

test("the documents a newcomer expects exist", () => {
  for (const name of ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]) {
    expect(documents).toContain(name);
  }
  expect(read("LICENSE")).toContain("Apache License");
});

test("every link leads somewhere", () => {
  const broken = documents.flatMap((path) =>
    wrong(path, findLinks(read(path)), (target) => existsSync(join(root, dirname(path), target))),
  );
  expect(broken).toEqual([]);
});

test("every path in a document exists", () => {
  const broken = documents.flatMap((path) =>
    wrong(path, findPaths(read(path), folders), (target) => existsSync(join(root, target))),
  );
  expect(broken).toEqual([]);
});

test("every script that a document mentions exists", () => {
  const broken = documents.flatMap((path) => wrong(path, findScripts(read(path)), (name) => name in manifest.scripts));
  expect(broken).toEqual([]);
});

test("every workspace, every area of the server and the examples are in ARCHITECTURE.md", () => {
  const areas = readdirSync(join(root, "server/src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const isOnTheMap = (place: string) => [...named].some((path) => path.startsWith(place));
  const named = new Set(findPaths(read("ARCHITECTURE.md"), folders).map(({ target }) => target));
  const places = [...manifest.workspaces.map((name) => `${name}/`), "docs/", "examples/"];
  expect(places.filter((place) => !named.has(place))).toEqual([]);
  expect(areas.map(({ name }) => `server/src/${name}/`).filter((area) => !isOnTheMap(area))).toEqual([]);
});

test("ARCHITECTURE.md shows every workspace's imports as the boundaries allow them", () => {
  const drawn = new Map(
    [...read("ARCHITECTURE.md").matchAll(/^([a-z0-9, ]+?) +-> (.+)$/gm)].flatMap(([, from = "", to = ""]) =>
      from.split(", ").map((name): [string, string] => [name, to]),
    ),
  );
  const folders = new Set(manifest.workspaces.map(workspaceOf));
  const expected = [...folders].map((name): [string, string] => [name, describeImports(name)]);
  expect(expected.map(([name]) => [name, drawn.get(name)])).toEqual(expected);
});

function describeImports(workspace: string): string {
  const allowed = ALLOWED_IMPORTS[workspace] ?? [];
  if (allowed.includes("*")) return "anything";
  // A rule may already name a planned workspace.
  const there = allowed.filter((name) => manifest.workspaces.includes(name.split("/")[0] ?? name));
  return there.length === 0 ? "nothing of ours" : there.join(", ");
}
