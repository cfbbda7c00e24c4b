import type { Flow } from "@parley/contract/flow";
import { GROUP } from "../editor-store.ts";
import { exitsOf } from "../exits.ts";
import type { NodePosition } from "../new-node.ts";
import { sizeOf } from "./node-size.ts";

/** How a call is read on the canvas. */
export type Direction = "right" | "down";

/** Lines between columns need room to turn; between rows they pass one at a time. */
const BETWEEN = { right: { ranks: 96, nodes: 36 }, down: { ranks: 64, nodes: 72 } } as const;

/** The positions of the nodes when the call is read in this direction. */
export async function layoutFlow(
  flow: Flow,
  direction: Direction = "right",
): Promise<ReadonlyMap<string, NodePosition>> {
  // A large library that most visits do not need.
  const { Graph, layout } = await import("@dagrejs/dagre");
  const graph = new Graph({ multigraph: true, compound: true });
  const { ranks, nodes } = BETWEEN[direction];
  graph.setGraph({
    rankdir: direction === "right" ? "LR" : "TB",
    ranksep: ranks,
    nodesep: nodes,
    ranker: "network-simplex",
  });
  graph.setDefaultEdgeLabel(() => ({}));
  const ids = new Set(flow.nodes.map(({ id }) => id));
  for (const node of flow.nodes) graph.setNode(node.id, { ...sizeOf(node) });
  // The nodes of a group stay together, so that frames do not overlap.
  for (const group of flow.groups ?? []) {
    const members = group.nodeIds.filter((id) => ids.has(id));
    if (members.length === 0) continue;
    graph.setNode(`${GROUP}${group.id}`, {});
    for (const id of members) graph.setParent(id, `${GROUP}${group.id}`);
  }
  for (const node of flow.nodes) {
    for (const exit of exitsOf(node)) {
      // Failure paths may be further away than success paths.
      const weight = exit.kind === "next" || exit.kind === "case" ? 3 : 1;
      if (exit.to !== undefined && ids.has(exit.to)) graph.setEdge(node.id, exit.to, { weight, minlen: 1 }, exit.id);
    }
  }
  layout(graph);
  return new Map(
    flow.nodes.map((node) => {
      const { x = 0, y = 0 } = graph.node(node.id) as Partial<NodePosition>;
      const { width, height } = sizeOf(node);
      return [node.id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }];
    }),
  );
}

/** Whether something in the flow has no position yet, as in documents that were written by hand. */
export function needsLayout(flow: Flow): boolean {
  return flow.nodes.some(({ position }) => position === undefined);
}
