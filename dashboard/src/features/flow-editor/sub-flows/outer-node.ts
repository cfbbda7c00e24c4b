import type { Flow, FlowNode } from "@parley/contract/flow";
import { titleOf } from "../model/node-kinds.ts";

const BETWEEN = "__";

/** The node of the flow that has this id, or else the sub-flow that the node with this id is in. */
export function outerNode({ nodes }: Pick<Flow, "nodes">, nodeId: string): FlowNode | undefined {
  const own = nodes.find(({ id }) => id === nodeId);
  if (own) return own;
  const inside = nodes.filter(({ id, type }) => type === "subflow" && nodeId.startsWith(id + BETWEEN));
  return inside.toSorted((one, other) => other.id.length - one.id.length)[0];
}

/** The way of a call through the nodes of the flow, without the steps inside its sub-flows. */
export function outerPath(flow: Pick<Flow, "nodes">, path: readonly string[]): readonly string[] {
  if (!flow.nodes.some(({ type }) => type === "subflow")) return path;
  return path
    .map((id) => outerNode(flow, id)?.id ?? id)
    .filter((id, index, ids) => id !== ids[index - 1] || path[index] === id);
}

/** The title of a node, or for one in a sub-flow the titles of both. */
export function titleOfId(flow: Pick<Flow, "nodes">, nodeId: string): string {
  const node = outerNode(flow, nodeId);
  if (!node) return nodeId;
  if (node.id === nodeId) return titleOf(node);
  return [
    titleOf(node),
    ...nodeId
      .slice(node.id.length + BETWEEN.length)
      .split(BETWEEN)
      .map(readable),
  ].join(" › ");
}

function readable(id: string): string {
  const words = id.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
