import {
  delimited,
  ELEMENT,
  type Field,
  GRAPH,
  type GraphNode,
  join,
  lengthDelimited,
  MODEL_GRAPH,
  readFields,
  readNode,
  tensorName,
  text,
  valueInfo,
} from "./onnx-messages.ts";

export interface GraphPart {
  /** Where the part begins: tensors that its caller provides, with their element types. */
  readonly inputs: Readonly<Record<string, number>>;
  /** Where it ends: tensors of 32-bit floats that its caller receives. */
  readonly outputs: readonly string[];
}

/** The nodes between the inputs and the outputs, with the weights that they use, as a model of its own. */
export function cutGraph(model: Uint8Array, part: GraphPart): Uint8Array {
  return editGraph(model, (graph) => cutFields(graph, part));
}

/** The same model with other fields in its graph. */
export function editGraph(model: Uint8Array, edit: (graph: readonly Field[]) => readonly Uint8Array[]): Uint8Array {
  const fields = readFields(model);
  const graph = fields.find(({ number }) => number === MODEL_GRAPH);
  if (graph === undefined) throw new Error("the model has no graph");
  const rest = fields.filter(({ number }) => number !== MODEL_GRAPH).map(({ bytes }) => bytes);
  return join([...rest, ...delimited(MODEL_GRAPH, edit(readFields(graph.content)))]);
}

function cutFields(graph: readonly Field[], { inputs, outputs }: GraphPart): Uint8Array[] {
  const weights = new Map(
    graph.filter(({ number }) => number === GRAPH.initializer).map((field) => [tensorName(field.content), field]),
  );
  const makers = new Map<string, { field: Field; node: GraphNode }>();
  for (const field of graph) {
    if (field.number !== GRAPH.node) continue;
    const node = readNode(field.content);
    for (const output of node.outputs) makers.set(output, { field, node });
  }
  const kept = new Set<Field>();
  const wanted = [...outputs];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (name === "" || Object.hasOwn(inputs, name)) continue;
    const weight = weights.get(name);
    const maker = makers.get(name);
    if (weight !== undefined) kept.add(weight);
    else if (maker === undefined) throw new Error(`nothing in the graph makes ${name}`);
    else if (!kept.has(maker.field)) {
      kept.add(maker.field);
      wanted.push(...maker.node.inputs);
    }
  }
  return [
    text(GRAPH.name, "part"),
    ...graph.filter((field) => kept.has(field)).map(({ bytes }) => bytes),
    ...Object.entries(inputs).map(([name, type]) => lengthDelimited(GRAPH.input, valueInfo(name, type))),
    ...outputs.map((name) => lengthDelimited(GRAPH.output, valueInfo(name, ELEMENT.float32))),
  ];
}
