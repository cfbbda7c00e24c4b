import { EMPTY_FLOW, type Flow } from "@parley/contract/flow";
import { expect, test } from "vitest";
import { layoutFlow } from "../model/layout/layout-flow.ts";
import { drawFlow } from "./template-gallery.tsx";

const flow: Flow = {
  ...EMPTY_FLOW,
  nodes: [
    { id: "start", type: "start", next: "hello" },
    { id: "hello", type: "say", text: "Hello.", next: "bye" },
    { id: "bye", type: "end" },
    { id: "lost", type: "say", text: "?", next: "nowhere" },
  ],
};

test("every node is in the picture, without overlaps, and lines lead only to existing nodes", async () => {
  const { nodes, lines, width, height } = drawFlow(flow, await layoutFlow(flow));
  expect(nodes.map(({ id }) => id)).toEqual(["start", "hello", "bye", "lost"]);
  expect(lines).toHaveLength(2);
  for (const node of nodes) {
    expect(node.x + node.width).toBeLessThanOrEqual(width);
    expect(node.y + node.height).toBeLessThanOrEqual(height);
    const over = nodes.filter(
      (other) =>
        other !== node &&
        other.x < node.x + node.width &&
        node.x < other.x + other.width &&
        other.y < node.y + node.height &&
        node.y < other.y + other.height,
    );
    expect(over).toEqual([]);
  }
});

test("an empty flow is an empty picture", () => {
  expect(drawFlow(EMPTY_FLOW, new Map())).toMatchObject({ nodes: [], lines: [] });
});
