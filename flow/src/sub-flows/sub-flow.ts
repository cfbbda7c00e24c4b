import type { Flow, FlowNode } from "@parley/contract/flow";
import type { SubFlowNode } from "@parley/contract/flow-sub-flow";
import { neighboursOf, reachableFrom } from "../graph.ts";
import { savedNames } from "../names.ts";

/** Published flows by `subFlowKey`. */
export type SubFlows = ReadonlyMap<string, Flow>;

export function subFlowKey(agentId: string, version: number): string {
  return `${agentId}@${version}`;
}

/** The versions that the nodes of a flow use, each once. */
export function subFlowsOf(flow: Pick<Flow, "nodes">): { readonly agentId: string; readonly version: number }[] {
  const used = flow.nodes.flatMap((node) =>
    node.type === "subflow" && node.agentId !== undefined && node.version !== undefined
      ? [[subFlowKey(node.agentId, node.version), { agentId: node.agentId, version: node.version }] as const]
      : [],
  );
  return [...new Map(used).values()];
}

/** What a flow needs and gives when it is used in another one. */
export interface SubFlowInterface {
  /** Its variables. */
  readonly inputs: readonly string[];
  /** The names of the ends that a call can reach. */
  readonly exits: readonly string[];
  /** The names under which it saves something. */
  readonly saves: readonly string[];
}

/** The flow must be without sub-flows of its own. */
export function interfaceOf(flow: Flow): SubFlowInterface {
  const nodes = nodesInside(flow);
  return {
    inputs: [...new Set(flow.variables)],
    exits: [...new Set(nodes.flatMap((node) => (node.type === "end" ? [exitNameOf(node)] : [])))],
    saves: [...new Set(nodes.flatMap(savedNames))],
  };
}

/** The exit that an `end` becomes. Ends with the same outcome are one exit. */
export function exitNameOf({ id, outcome }: Extract<FlowNode, { type: "end" }>): string {
  return outcome?.trim() || id;
}

/** The nodes that a call can reach from the start. Jumps by phrases and voicemails belong to the flow that is called. */
export function nodesInside({ nodes }: Pick<Flow, "nodes">): FlowNode[] {
  const start = nodes.find(({ type }) => type === "start");
  const reached = reachableFrom(start ? [start.id] : [], neighboursOf(nodes).after);
  return nodes.filter(({ id, type }) => reached.has(id) && type !== "start" && type !== "voicemail");
}

/** The id or name of something in a sub-flow, in the flow of its node. */
export function innerName(nodeId: string, name: string): string {
  return `${nodeId}__${name}`;
}

/** Whether an id or name is that of something which was called `name` before it became part of a sub-flow. */
export function isInnerName(full: string, name: string): boolean {
  return full.endsWith(innerName("", name));
}

/** Whether the node is where a call enters a sub-flow: it saves the inputs, of which there may be none. */
export function isEntry(node: FlowNode): boolean {
  return node.type === "set" && node.next?.startsWith(innerName(node.id, "")) === true;
}

/** The names of what it saves, as the flow of the node uses them. */
export function savedAs({ id, saves = [] }: SubFlowNode): (name: string) => string {
  return (name) => saves.find((saved) => saved.name === name)?.saveAs ?? innerName(id, name);
}
