import {
  ELEMENT,
  type Field,
  GRAPH,
  type GraphNode,
  readTensor,
  type WeightTensor,
  writeNode,
  writeTensor,
} from "./onnx-messages.ts";

/** The weights of a graph by their names. */
export function readWeights(graph: readonly Field[]): ReadonlyMap<string, WeightTensor> {
  const tensors = graph.filter(({ number }) => number === GRAPH.initializer).map(({ content }) => readTensor(content));
  return new Map(tensors.map((tensor) => [tensor.name, tensor]));
}

/** The nodes and weights that take the place of one node. All names begin with that node's. */
export class ReplacementNodes {
  /** What was added, as fields of a graph. */
  readonly fields: Uint8Array[] = [];
  readonly #replaced: string;

  constructor({ name }: GraphNode) {
    this.#replaced = name;
  }

  named(name: string): string {
    return `${this.#replaced}/${name}`;
  }

  /** Returns the name of the output. */
  add(operator: string, inputs: string[], output: string, integers: GraphNode["integers"] = {}): string {
    this.fields.push(writeNode({ name: output, operator, inputs, outputs: [output], integers }));
    return output;
  }

  /** Returns the name of the tensor. */
  addTensor(name: string, elementType: number, shape: number[], bytes: Uint8Array): string {
    this.fields.push(writeTensor({ name: this.named(name), elementType, shape, bytes }));
    return this.named(name);
  }

  addIndexes(name: string, values: number[]): string {
    const bytes = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
    return this.addTensor(name, ELEMENT.int64, [values.length], bytes);
  }
}
