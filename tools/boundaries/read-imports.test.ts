import { expect, test } from "vitest";
import { readImports, resolveImport } from "./read-imports.ts";

const importsOf = (...lines: string[]) => readImports({ path: "server/src/calls/a.ts", text: lines.join("\n") });

test("every way to import is seen, with its line", () => {
  const found = importsOf(
    'import { a } from "./a.ts";',
    "import {",
    "  b,",
    "  type C,",
    '} from "@parley/contract/calls";',
    'import "./side-effect.ts";',
    'export { d } from "./d.ts";',
    'const lazy = await import("./lazy.ts");',
    'new Worker(new URL("./thread.ts", import.meta.url));',
  );
  expect(found.map(({ specifier, line }) => [specifier, line])).toEqual([
    ["./a.ts", 1],
    ["@parley/contract/calls", 5],
    ["./side-effect.ts", 6],
    ["./d.ts", 7],
    ["./lazy.ts", 8],
    ["./thread.ts", 9],
  ]);
});

test("a type-only import is distinguished from one that runs", () => {
  const found = importsOf(
    'import type { A } from "./a.ts";',
    'import { type B, c } from "./b.ts";',
    'let socket: import("node:net").Socket;',
  );
  expect(found.map(({ specifier, typeOnly }) => [specifier, typeOnly])).toEqual([
    ["./a.ts", true],
    ["./b.ts", false],
    ["node:net", true],
  ]);
});

test("words in strings and comments are not imports", () => {
  const found = importsOf(
    ' * import x from "y" in a comment',
    'const text = "import";',
    'export const name = "value";',
  );
  expect(found).toEqual([]);
});

test("an import resolves to a path from the root, or leaves the repository", () => {
  expect(resolveImport("server/src/calls/a.ts", "../database/b.ts")).toBe("server/src/database/b.ts");
  expect(resolveImport("server/src/calls/a.ts", "@parley/voice/flow/compile")).toBe("voice/src/flow/compile.ts");
  expect(resolveImport("server/src/calls/a.ts", "kysely")).toBeNull();
  expect(resolveImport("server/src/calls/a.ts", "node:fs")).toBeNull();
});
