import type { Flow, FlowNode } from "@parley/contract/flow";
import { neighboursOf, reachableFrom } from "./flow-graph.ts";

/** The name under which a node keeps the answer, or null. */
export function savedName(node: FlowNode): string | null {
  return node.type === "ask" ? (node.saveAs ?? null) : null;
}

/** For each saved name, the nodes a call can come to after it was saved. */
export type NodesAfterSaving = ReadonlyMap<string, ReadonlySet<string>>;

/** Needs a flow whose references are sound. */
export function nodesAfterSaving(flow: Flow): NodesAfterSaving {
  const { after } = neighboursOf(flow.nodes);
  const found = new Map<string, ReadonlySet<string>>();
  for (const [name, asks] of Map.groupBy(flow.nodes, savedName)) {
    if (name === null) continue;
    const next = asks.flatMap((ask) => [...(after.get(ask.id) ?? [])]);
    found.set(name, reachableFrom(next, after));
  }
  return found;
}
