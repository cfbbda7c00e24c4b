import type { FlowNode } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import { describe, expect, it } from "vitest";
import { exitsOf, withExit } from "./exits.ts";
import { newNode } from "./new-node.ts";
import { NODE_KINDS } from "./node-kinds.ts";

const labels = (node: FlowNode) => exitsOf(node).map(({ label }) => label);

describe("the exits of a node", () => {
  it("are its answers, what is left, and what was not understood", () => {
    const ask = newNode("ask", "q", { x: 0, y: 0 });
    expect(labels(ask)).toEqual(["yes", "no", "Not understood"]);
    if (ask.type !== "ask") throw new Error("not an ask");
    expect(labels({ ...ask, answer: "date", exits: [] })).toEqual(["Answered", "Not understood"]);
    expect(labels({ ...ask, answer: "number", exits: [{ when: "3" }] })).toEqual([
      "3",
      "Any other answer",
      "Not understood",
    ]);
  });

  it("are none if a say returns to the open question", () => {
    const say = newNode("say", "hours", { x: 0, y: 0 });
    expect(labels(say)).toEqual(["Then"]);
    expect(labels({ ...say, global: { phrases: ["when"], returns: true } } as FlowNode)).toEqual([]);
  });

  it("have the names that the compiler uses in problems, for every kind of node", () => {
    for (const { type } of NODE_KINDS) {
      const node = newNode(type, "node", { x: 0, y: 0 });
      const result = compileFlow({ schemaVersion: 1, variables: [], nodes: [node] });
      const open = result.ok ? [] : result.problems.filter(({ code }) => code === "leads_nowhere");
      expect(open.map(({ path }) => path.replace("nodes[0].", ""))).toEqual(exitsOf(node).map(({ id }) => id));
    }
  });

  it("can each be connected and disconnected, for every kind of node", () => {
    for (const { type } of NODE_KINDS) {
      const node = newNode(type, "node", { x: 0, y: 0 });
      for (const { id } of exitsOf(node)) {
        const led = withExit(node, id, "there");
        expect(exitsOf(led).find((exit) => exit.id === id)?.to).toBe("there");
        expect(withExit(led, id, undefined)).toEqual(node);
      }
      expect(withExit(node, "exits[9].next", "there")).toEqual(node);
    }
  });
});
