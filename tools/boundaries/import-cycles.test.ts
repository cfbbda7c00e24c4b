import { expect, test } from "vitest";
import { featureGraph, fileGraph, findCycles } from "./import-cycles.ts";

const file = (path: string, ...imports: string[]) => ({
  path,
  text: imports.map((specifier) => `import { a } from "${specifier}";`).join("\n"),
});

test("files that import each other are found, and the cycle is reported once", () => {
  const files = [
    file("voice/src/a.ts", "./b.ts"),
    file("voice/src/b.ts", "./c.ts"),
    file("voice/src/c.ts", "@parley/voice/a"),
    file("voice/src/d.ts", "./a.ts"),
  ];
  expect(findCycles(fileGraph(files))).toEqual([
    "voice/src/a.ts -> voice/src/b.ts -> voice/src/c.ts -> voice/src/a.ts",
  ]);
});

test("features that depend on each other are found even if no file imports itself", () => {
  const files = [
    file("server/src/calls/a.ts", "../credits/b.ts"),
    file("server/src/credits/c.ts", "../calls/d.ts"),
    file("server/src/calls/d.ts"),
    file("server/src/credits/b.ts"),
  ];
  expect(findCycles(fileGraph(files))).toEqual([]);
  expect(findCycles(featureGraph(files))).toEqual(["calls -> credits -> calls"]);
});

test("types and tests create no cycle", () => {
  const files = [
    file("server/src/calls/a.ts", "../credits/b.ts"),
    { path: "server/src/credits/b.ts", text: 'import type { A } from "../calls/a.ts";' },
    file("server/src/credits/b.test.ts", "../calls/a.ts"),
  ];
  expect(findCycles(featureGraph(files))).toEqual([]);
});
