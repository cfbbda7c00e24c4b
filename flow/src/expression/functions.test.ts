import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkCondition } from "./check.ts";
import type { DeclaredName } from "./declared-name.ts";
import { EXPRESSION_FUNCTIONS } from "./functions.ts";

const guide = readFileSync(new URL("../../../docs/guides/expressions.md", import.meta.url), "utf8");

describe("the guide to conditions", () => {
  it("explains every function in the words shown by an editor", () => {
    const rows = [...EXPRESSION_FUNCTIONS.values()].map(({ usage, meaning }) => `| \`${usage}\` | ${meaning} |`);
    expect(rows.filter((row) => !guide.includes(row))).toEqual([]);
  });

  it("shows examples that can be published", () => {
    const names: [string, DeclaredName["type"]][] = [
      ...(
        ["variables.age", "variables.language", "collected.coming", "collected.note", "call.phoneNumber"] as const
      ).map((path): [string, "text"] => [path, "text"]),
      ["collected.guests", "number"],
      ["collected.day", "date"],
      ["call.date", "date"],
      ["collected.at", "time"],
    ];
    const declared = names.map(([path, type]): DeclaredName => ({ path, type, meaning: "", values: null }));
    const blocks = [...guide.matchAll(/^```text\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
      block.trim().split("\n"),
    );
    const whens = [...guide.matchAll(/"when": ("(?:[^"\\]|\\.)*")/g)].map(
      ([, when = ""]) => JSON.parse(when) as string,
    );
    const examples = [...blocks, ...whens];
    expect(examples.length).toBeGreaterThan(8);
    expect(examples.filter((example) => !checkCondition(example, declared).ok)).toEqual([]);
  });
});
