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

test("a variable that is spoken by another name is required, as in a sub-flow that got it as an input", () => {
  const renaming: Flow = {
    schemaVersion: 1,
    variables: ["name", "order"],
    nodes: [
      { id: "start", type: "start", next: "greet" },
      {
        ...{ id: "greet", type: "set", next: "bye" },
        values: [
          { saveAs: "greet__who", value: "variables.name" },
          { saveAs: "greet__order", value: "variables.order" },
        ],
      },
      { id: "bye", type: "end", text: "Hello {{greet__who}}[[, about {{greet__order}}]]." },
    ],
  };
  expect(requiredVariables(renaming)).toEqual(["name"]);
});
