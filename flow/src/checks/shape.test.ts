import type { Flow, FlowGroup } from "@parley/contract/flow";
import { expect, it } from "vitest";
import { compileFlow } from "../compile.ts";

function problemsWith(groups: FlowGroup[]) {
  const flow: Flow = {
    schemaVersion: 1,
    variables: [],
    nodes: [
      { id: "start", type: "start", next: "bye" },
      { id: "bye", type: "end" },
    ],
    groups,
  };
  const result = compileFlow(flow);
  return result.ok ? [] : result.problems;
}

it("ignores groups in calls", () => {
  expect(problemsWith([{ id: "all", name: "All", nodeIds: ["start", "bye"], color: "blue" }])).toEqual([]);
  expect(problemsWith([{ id: "empty", name: "", nodeIds: [] }])).toEqual([]);
});

it("reports nodes that do not exist", () => {
  expect(problemsWith([{ id: "all", name: "All", nodeIds: ["start", "gone"] }])).toEqual([
    {
      code: "bad_group",
      nodeId: null,
      path: "groups[0].nodeIds[1]",
      message: 'The group all has the node "gone", and there is no such node.',
      parts: { reason: "unknown", group: "All", node: "gone" },
    },
  ]);
});

it("reports a node in two groups, and two groups with one id", () => {
  const groups = [
    { id: "all", name: "All", nodeIds: ["start"] },
    { id: "all", name: "More", nodeIds: ["bye", "start"] },
  ];
  expect(problemsWith(groups).map(({ path, parts }) => [path, parts?.["reason"]])).toEqual([
    ["groups[1].id", "id"],
    ["groups[1].nodeIds[1]", "twice"],
  ]);
});
