import type { Flow, FlowNode } from "@parley/contract/flow";
import type { NodeNumber } from "@parley/contract/node-numbers";
import { isFinal, isListening, neighboursOf, reachableFrom } from "@parley/flow/graph";
import { nameOfType, titleOf } from "../flow-editor/model/node-kinds.ts";
import { outerNode, titleOfId } from "../flow-editor/sub-flows/outer-node.ts";

/** A node as a step of calls. */
export interface NodeStep {
  readonly id: string;
  readonly title: string;
  /** What kind of node it is; null for one that is not in this flow. */
  readonly kind: string | null;
  readonly calls: number;
  readonly visits: number;
  /** Calls in which the callee hung up here; null where a call ends anyway. */
  readonly hangUps: number | null;
  /** Null where nothing is asked. */
  readonly notUnderstood: number | null;
  /** Null if no call came here. */
  readonly medianMs: number | null;
}

/**
 * The nodes in the order in which calls reach them: by their distance from the start, then those that are reached from
 * anywhere. Nodes inside a sub-flow follow it, and nodes of other versions come last.
 */
export function toSteps(flow: Pick<Flow, "nodes">, numbers: readonly NodeNumber[]): NodeStep[] {
  const byId = new Map(numbers.map((each) => [each.nodeId, each]));
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  const starts = flow.nodes.filter(({ type }) => type === "start").map(({ id }) => id);
  const ordered = new Set([...reachableFrom(starts, neighboursOf(flow.nodes).after), ...nodes.keys()]);
  const elsewhere = Map.groupBy(
    numbers.filter(({ nodeId }) => !nodes.has(nodeId)),
    ({ nodeId }) => outerNode(flow, nodeId)?.id,
  );
  const stepOf = (node: FlowNode): NodeStep => {
    const { calls = 0, visits = 0, hangUps = 0, notUnderstood = 0, medianMs = null } = byId.get(node.id) ?? {};
    return {
      ...{ id: node.id, title: titleOf(node), kind: nameOfType(node.type), calls, visits, medianMs },
      hangUps: isFinal(node) ? null : hangUps,
      notUnderstood: isListening(node) || notUnderstood > 0 ? notUnderstood : null,
    };
  };
  const unknownStep = ({ nodeId, ...counted }: NodeNumber): NodeStep => ({
    ...{ ...counted, id: nodeId, title: titleOfId(flow, nodeId), kind: null },
  });
  return [
    ...[...ordered].flatMap((id) => {
      const node = nodes.get(id);
      // Every call passes the start, and none stays there.
      if (!node || node.type === "start") return [];
      return [stepOf(node), ...(elsewhere.get(id) ?? []).map(unknownStep)];
    }),
    ...(elsewhere.get(undefined) ?? []).map(unknownStep),
  ];
}
