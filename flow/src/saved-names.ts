import type { Flow, FlowNode } from "@parley/contract/flow";
import { edgesAndJumps, reachableFrom } from "./graph.ts";

/** The names under which a node keeps something. */
export function savedNames(node: FlowNode): readonly string[] {
  switch (node.type) {
    case "ask":
      return node.saveAs === undefined ? [] : [node.saveAs];
    case "tool":
    case "conversation":
      return (node.saves ?? []).map(({ saveAs }) => saveAs);
    case "set":
      return node.values.map(({ saveAs }) => saveAs);
    default:
      return [];
  }
}

/** For each saved name, the nodes a call can come to after it was saved. */
export type NodesAfterSaving = ReadonlyMap<string, ReadonlySet<string>>;

/** Needs a flow whose references are sound. */
export function nodesAfterSaving(flow: Flow): NodesAfterSaving {
  const edges = edgesAndJumps(flow.nodes);
  const found = new Map<string, Set<string>>();
  for (const node of flow.nodes) {
    const names = savedNames(node);
    // Walked once for each node, because a node can save many names.
    const after = names.length === 0 ? [] : reachableFrom(edges.get(node.id) ?? [], edges);
    for (const name of names) {
      const known = found.get(name) ?? new Set();
      for (const id of after) known.add(id);
      found.set(name, known);
    }
  }
  return found;
}
