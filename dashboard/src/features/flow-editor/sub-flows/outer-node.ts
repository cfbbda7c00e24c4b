import type { Flow, FlowNode } from "@parley/contract/flow";
import type { PathPoint } from "../model/editor-store.ts";
import { titleOf } from "../model/node-kinds.ts";

const BETWEEN = "__";

/** The node of the flow that has this id, or else the sub-flow that the node with this id is in. */
export function outerNode({ nodes }: Pick<Flow, "nodes">, nodeId: string): FlowNode | undefined {
  const own = nodes.find(({ id }) => id === nodeId);
  if (own) return own;
  const inside = nodes.filter(({ id, type }) => type === "subflow" && nodeId.startsWith(id + BETWEEN));
  return inside.toSorted((one, other) => other.id.length - one.id.length)[0];
}

/** A step on the way of a call through a flow as it is drawn. */
export interface OuterPoint {
  readonly nodeId: string;
  /** The exit that led there; null for none, and undefined if it is not known. */
  readonly exit: string | null | undefined;
}

/**
 * The way of a call through the nodes of the flow, without the steps inside its sub-flows. Which of its own exits a sub-flow
 * was left by is not known, and neither is any exit in transcripts of earlier releases.
 */
export function outerPath(flow: Pick<Flow, "nodes">, path: readonly PathPoint[]): readonly OuterPoint[] {
  const areExitsKnown = path.some(({ exit }) => exit !== undefined);
  const outer = path.map(({ nodeId }) => outerNode(flow, nodeId)?.id ?? nodeId);
  return path.flatMap(({ nodeId, exit }, index): OuterPoint[] => {
    const id = outer[index] ?? nodeId;
    if (id === outer[index - 1] && nodeId !== id) return [];
    const isFromInside = index > 0 && outer[index - 1] !== path[index - 1]?.nodeId;
    return [{ nodeId: id, exit: !areExitsKnown || isFromInside ? undefined : (exit ?? null) }];
  });
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
