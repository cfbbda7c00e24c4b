import type { Flow } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import type { FlowWarning } from "../problem.ts";

/** Finds questions whose answers are not used, and answers that go where those go that nobody understood. */
export function warnOfAnswers(flow: Flow): FlowWarning[] {
  return flow.nodes.flatMap((node, index): FlowWarning[] => {
    const message = node.type === "ask" ? explain(node) : null;
    if (message === null) return [];
    return [{ code: "missing_answer", nodeId: node.id, path: `nodes[${index}].exits`, message }];
  });
}

function explain({ id, answer, exits, next, saveAs }: AskNode): string | null {
  if (next !== undefined) return null;
  if (exits.length === 0 && saveAs === undefined) {
    return `The node ${id} asks, and neither keeps the answer nor goes on by it; give it exits, or a name to save the answer under.`;
  }
  // What is only kept may go on by one way; choices are their exits, and leave none out.
  if (exits.length === 0 || answer !== "yes_no") return null;
  const given = new Set(exits.map(({ when }) => when.trim().toLowerCase()));
  const missing = ["yes", "no"].find((word) => !given.has(word));
  if (missing === undefined) return null;
  return `The node ${id} has no exit for ${missing}; such an answer goes on at otherwise, as one that nobody understood.`;
}
