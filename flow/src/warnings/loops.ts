import type { Flow, FlowNode } from "@parley/contract/flow";
import { isListening, neighboursOf, reachableFrom } from "../graph.ts";
import type { FlowWarning } from "../problem.ts";

/**
 * Finds loops on which the callee has no say, such as a request that is sent again whenever it fails. One warning for each
 * loop, at its first node. Loops with no way out at all, or on which nothing happens, are problems and found elsewhere.
 */
export function warnOfLoops(flow: Flow): FlowWarning[] {
  const passing = flow.nodes.filter((node) => !isListening(node));
  const { after } = neighboursOf(passing);
  const told = new Set<string>();
  return flow.nodes.flatMap((node, index): FlowWarning[] => {
    if (!mayWait(node) || told.has(node.id)) return [];
    const onwards = reachableFrom(after.get(node.id) ?? [], after);
    if (!onwards.has(node.id)) return [];
    for (const { id } of passing) {
      if (onwards.has(id) && reachableFrom(after.get(id) ?? [], after).has(node.id)) told.add(id);
    }
    const message = `From the node ${node.id} a call can come back to it without the callee being asked anything, again and again; ask something on the way, or count the attempts.`;
    return [{ code: "loop_without_question", nodeId: node.id, path: `nodes[${index}]`, message }];
  });
}

/** Whether a loop through it goes on by what others do, and not by the flow alone. */
function mayWait({ type }: FlowNode): boolean {
  return type === "tool" || type === "transfer";
}
