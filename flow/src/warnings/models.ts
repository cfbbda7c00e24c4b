import type { Flow, FlowNode } from "@parley/contract/flow";
import type { FlowWarning } from "../problem.ts";

/** Whether a call to this node asks a language model. */
export function needsModel(node: FlowNode): boolean {
  return node.type === "conversation" || (node.type === "branch" && (node.prompts ?? []).length > 0);
}

/** One warning for each node that could not do its work without a language model, or will not get the one it wants. */
export function warnOfModels(flow: Flow, configured: readonly string[]): FlowWarning[] {
  return flow.nodes.flatMap((node, index): FlowWarning[] => {
    if (!needsModel(node)) return [];
    const [first] = configured;
    if (first === undefined) {
      const message = `The node ${node.id} needs a language model, and none is configured; until one is, calls cannot use this agent.`;
      return [{ code: "no_model", nodeId: node.id, path: `nodes[${index}]`, message }];
    }
    const wished = "model" in node ? node.model : undefined;
    if (wished === undefined || configured.includes(wished)) return [];
    const message = `The node ${node.id} wants the language model ${wished}, which is not configured; calls ask ${first} in its place.`;
    return [{ code: "unknown_model", nodeId: node.id, path: `nodes[${index}].model`, message }];
  });
}
