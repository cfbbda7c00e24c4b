import type { Flow, FlowNode } from "@parley/contract/flow";
import type { FlowWarning } from "./flow-problem.ts";

/** Whether a call to this node asks a language model. */
export function needsModel(node: FlowNode): boolean {
  return node.type === "conversation" || (node.type === "branch" && (node.prompts ?? []).length > 0);
}

/** One warning for each node that could not do its work without a language model. */
export function warnOfModels(flow: Flow): FlowWarning[] {
  return flow.nodes.flatMap((node, index): FlowWarning[] => {
    if (!needsModel(node)) return [];
    const message = `The node ${node.id} needs a language model, and none is configured; until one is, calls cannot use this agent.`;
    return [{ code: "no_model", nodeId: node.id, path: `nodes[${index}]`, message }];
  });
}
