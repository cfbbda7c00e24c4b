import { expect, it } from "vitest";
import { replaceNode } from "../model/edit-flow.ts";
import type { PathPoint } from "../model/editor-store.ts";
import { smallFlow } from "../model/testing/small-flow.ts";
import { outerPath } from "../sub-flows/outer-node.ts";
import { canvasEdges, canvasNodes } from "./canvas-elements.ts";
import { freePlace } from "./use-pickers.ts";

const quiet = { selection: new Set<string>(), worst: new Map(), activeNodeId: null, path: [] };
const byId = <Thing extends { readonly id: string }>(things: readonly Thing[]) =>
  new Map(things.map((thing) => [thing.id, thing]));

it("redraws only the node that changed", () => {
  const flow = smallFlow();
  const before = canvasNodes({ ...quiet, flow }, new Map());
  const changed = replaceNode(flow, { id: "bye", type: "end", position: { x: 720, y: -80 }, text: "Bye." });
  const after = canvasNodes({ ...quiet, flow: changed, worst: new Map([["sorry", "problem"]]) }, byId(before));
  expect(after.map((node, index) => node === before[index])).toEqual([true, true, false, false]);
  const edges = canvasEdges({ flow, path: [] }, new Set(), new Map());
  expect(canvasEdges({ flow: changed, path: [] }, new Set(), byId(edges))).toEqual(edges);
  expect(edges.map(({ source, sourceHandle, target }) => `${source} ${sourceHandle} ${target}`)).toEqual([
    "start next coming",
    "coming exits[0].next bye",
    "coming exits[1].next sorry",
    "coming otherwise sorry",
  ]);
});

it("marks the nodes and lines of a call's path, in order, and leaves the others unchanged", () => {
  const path = outerPath(smallFlow(), [{ nodeId: "start" }, { nodeId: "coming" }, { nodeId: "sorry" }]);
  const shown = { ...quiet, flow: smallFlow(), path };
  const nodes = canvasNodes(shown, new Map());
  expect(nodes.map(({ id, data }) => [id, data["passing"], data["step"]])).toEqual([
    ["start", "passed", 1],
    ["coming", "passed", 2],
    ["bye", "passed_by", null],
    ["sorry", "passed", 3],
  ]);
  const edges = canvasEdges(shown, new Set(), new Map());
  expect(edges.find(({ target }) => target === "bye")?.data?.passing).toBe("passed_by");
  expect(edges.find(({ source }) => source === "start")?.data?.passing).toBe("passed");
});

it("marks only the exit that the call took, of two that lead to the same node", () => {
  const passed = (path: readonly PathPoint[]) =>
    canvasEdges({ flow: smallFlow(), path: outerPath(smallFlow(), path) }, new Set(), new Map())
      .filter(({ data }) => data?.passing === "passed")
      .map(({ source, sourceHandle }) => `${source} ${sourceHandle}`);
  const before = [{ nodeId: "start" }, { nodeId: "coming", exit: "next" }];
  expect(passed([...before, { nodeId: "sorry", exit: "exits[1].next" }])).toEqual([
    "start next",
    "coming exits[1].next",
  ]);
  expect(passed([...before, { nodeId: "sorry", exit: "otherwise" }])).toEqual(["start next", "coming otherwise"]);
  // A jump takes no exit, although there is one that leads there too.
  expect(passed([...before, { nodeId: "sorry" }])).toEqual(["start next"]);
  // A transcript of an earlier release does not say which.
  expect(passed([{ nodeId: "coming" }, { nodeId: "sorry" }])).toEqual(["coming exits[1].next", "coming otherwise"]);
});

it("puts a new node where nothing is yet", () => {
  const flow = smallFlow();
  const place = freePlace(flow, { x: 360, y: 10 });
  expect(place.x).toBe(360);
  expect(place.y).toBeGreaterThan(150);
  expect(freePlace(flow, { x: 5000, y: 5000 })).toEqual({ x: 5000, y: 5000 });
});
