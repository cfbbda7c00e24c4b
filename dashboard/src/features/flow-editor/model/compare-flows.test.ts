import type { Flow } from "@parley/contract/flow";
import { describe, expect, it, test } from "vitest";
import { compareFlows, isSameFlow } from "./compare-flows.ts";
import { addNode, moveTo, removeNodes, replaceNode } from "./edit-flow.ts";
import { smallFlow } from "./testing/small-flow.ts";

describe("comparing two versions", () => {
  it("finds nothing if nodes were only moved or commented", () => {
    const moved = moveTo(smallFlow(), new Map([["bye", { x: 9, y: 9 }]]));
    const comments = [{ id: "c", text: "Why?", position: { x: 0, y: 0 } }];
    expect(compareFlows(smallFlow(), { ...moved, comments }).isSame).toBe(true);
  });

  it("names what was added, what was removed, and each field that changed", () => {
    const flow = addNode(removeNodes(smallFlow(), new Set(["sorry"])), "say", { x: 0, y: 0 }).flow;
    const after = replaceNode({ ...flow, variables: ["first_name"] }, { id: "bye", type: "end", text: "Bye." });
    const { added, removed, changed, around } = compareFlows(smallFlow(), after);
    expect(added.map(({ id }) => id)).toEqual(["say"]);
    expect(removed.map(({ id }) => id)).toEqual(["sorry"]);
    expect(changed.map(({ after: { id }, fields }) => [id, fields])).toEqual([
      [
        "coming",
        [
          { path: "exits[1].next", before: "sorry" },
          { path: "otherwise", before: "sorry" },
        ],
      ],
      ["bye", [{ path: "text", before: "See you then.", after: "Bye." }]],
    ]);
    expect(around).toEqual([{ path: "variables[0]", after: "first_name" }]);
  });
});

const flow = (text: string, isTurned = false): Flow => ({
  ...(isTurned ? { variables: [], schemaVersion: 1 } : { schemaVersion: 1, variables: [] }),
  nodes: [isTurned ? { text, type: "say", id: "hello" } : { id: "hello", type: "say", text }],
});

test("a draft that is returned with its fields in another order is the same draft", () => {
  expect(isSameFlow(flow("Hello."), flow("Hello.", true))).toBe(true);
});

test("a different word is a different draft", () => {
  expect(isSameFlow(flow("Hello."), flow("Good day."))).toBe(false);
});
