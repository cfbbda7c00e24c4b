import type { Flow } from "@parley/contract/flow";
import { expect, test } from "vitest";
import { requiredVariables } from "./required-variables.ts";

const flowSaying = (text: string, variables: string[]): Flow => ({
  schemaVersion: 1,
  variables,
  nodes: [
    { id: "start", type: "start", next: "bye" },
    { id: "bye", type: "end", text },
  ],
});

test("a variable that a sentence needs is required", () => {
  expect(requiredVariables(flowSaying("Hello {{name}}.", ["name", "order"]))).toEqual(["name"]);
});

test("a variable that only an optional part uses is not", () => {
  expect(requiredVariables(flowSaying("Hello[[ {{name}}]].", ["name"]))).toEqual([]);
});

test("a value that the agent itself collects is not a variable", () => {
  expect(requiredVariables(flowSaying("Thanks, {{answer}}.", ["name"]))).toEqual([]);
});
