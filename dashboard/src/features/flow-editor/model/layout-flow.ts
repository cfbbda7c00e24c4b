import { Graph, layout } from "@dagrejs/dagre";
import type { Flow } from "@parley/contract/flow";
import { exitsOf } from "./exits.ts";
import type { NodePosition } from "./new-node.ts";
import { sizeOf } from "./node-size.ts";

const BETWEEN_COLUMNS = 96;
const BETWEEN_ROWS = 36;

/** The positions of the nodes when the call is read from left to right. */
export function layoutFlow(flow: Flow): ReadonlyMap<string, NodePosition> {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", ranksep: BETWEEN_COLUMNS, nodesep: BETWEEN_ROWS, ranker: "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  const ids = new Set(flow.nodes.map(({ id }) => id));
  for (const node of flow.nodes) graph.setNode(node.id, { ...sizeOf(node) });
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
