import { globSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { ALONE, ISOLATED, REAL_TIME } from "./test-groups.ts";

const root = resolve(import.meta.dirname, "../..");

/** "a/{b,c}.test.ts" names two files, each of which has to exist. */
function alternatives(pattern: string): string[] {
  const [braces, inner = ""] = /\{([^}]*)\}/.exec(pattern) ?? [];
  return braces === undefined ? [pattern] : inner.split(",").map((each) => pattern.replace(braces, each));
}

test.each([...ISOLATED, ...REAL_TIME, ...ALONE].flatMap(alternatives))("%s exists", (path) => {
  expect(globSync(path, { cwd: root, exclude: ["**/node_modules/**"] })).not.toEqual([]);
});
