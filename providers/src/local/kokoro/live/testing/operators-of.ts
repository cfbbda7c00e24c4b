import { editGraph } from "../onnx-graph.ts";
import { GRAPH, readNode } from "../onnx-messages.ts";

/** The operators of a model in their order. */
export function operatorsOf(model: Uint8Array): string[] {
  const operators: string[] = [];
  editGraph(model, (graph) => {
    const nodes = graph.filter(({ number }) => number === GRAPH.node);
    operators.push(...nodes.map(({ content }) => readNode(content).operator));
    return [];
  });
  return operators;
}
