import { expect, it } from "vitest";
import { smallFlow } from "../../model/testing/small-flow.ts";
import { canvasNodes } from "../canvas-elements.ts";
import { movesOfNodes, placesIn, reframed } from "./group-frames.ts";

const flow = { ...smallFlow(), groups: [{ id: "ends", name: "Goodbyes", nodeIds: ["bye", "sorry"] }] };
const shown = { flow, selection: new Set<string>(), worst: new Map(), activeNodeId: null, path: [] };

it("draws a group below its nodes, and redraws it when it changes", () => {
  const nodes = canvasNodes(shown, new Map());
  expect(nodes.map(({ id }) => id)).toEqual(["group:ends", "start", "coming", "bye", "sorry"]);
  expect(nodes[0]).toMatchObject({ ariaLabel: "Group: Goodbyes", zIndex: -2, position: { x: 696, y: -138 } });
  const before = new Map(nodes.map((node) => [node.id, node]));
  expect(canvasNodes(shown, before)[0]).toBe(nodes[0]);
  expect(canvasNodes({ ...shown, selection: new Set(["group:ends"]) }, before)[0]).not.toBe(nodes[0]);
});

it("moves the nodes of a group with its frame", () => {
  const move = { id: "group:ends", type: "position", position: { x: 796, y: -128 }, dragging: false } as const;
  const moves = movesOfNodes([move], flow.groups, placesIn(flow));
  expect(moves.map(({ id, position }) => [id, position])).toEqual([
    ["bye", { x: 820, y: -70 }],
    ["sorry", { x: 820, y: 90 }],
  ]);
  // A node that is dragged together with the frame moves once.
  const both = movesOfNodes([move, { ...move, id: "bye", position: { x: 1, y: 1 } }], flow.groups, placesIn(flow));
  expect(both.map(({ id }) => id)).toEqual(["sorry", "bye"]);
});

it("lets the frame follow a node that is dragged", () => {
  const nodes = canvasNodes(shown, new Map()).map((node) =>
    node.id === "sorry" ? { ...node, position: { x: 900, y: 80 } } : node,
  );
  expect(reframed(nodes)[0]).toMatchObject({ width: 492, position: { x: 696, y: -138 } });
});
