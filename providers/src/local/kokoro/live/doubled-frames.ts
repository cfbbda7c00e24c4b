import { editGraph } from "./onnx-graph.ts";
import {
  ELEMENT,
  type Field,
  GRAPH,
  type GraphNode,
  readNode,
  readTensor,
  type WeightTensor,
  writeNode,
  writeTensor,
} from "./onnx-messages.ts";

/** Twice as many frames, each channel by itself. */
interface Doubling {
  readonly node: GraphNode;
  readonly weights: WeightTensor;
}

const KERNEL = 3;

/**
 * Replaces transposed convolutions that double the frames of each channel (ConvTranspose with a kernel of three) by the few products that they
 * are: an even frame is a frame times the middle weight, an odd one the sum of its two neighbors times the outer weights. The
 * runtime convolves channel by channel, which takes ten times as long.
 */
export function doublingsToProducts(model: Uint8Array): Uint8Array {
  return editGraph(model, (graph) => {
    const tensors = new Map<string, WeightTensor>();
    for (const { number, content } of graph) {
      if (number !== GRAPH.initializer) continue;
      const tensor = readTensor(content);
      tensors.set(tensor.name, tensor);
    }
    return graph.flatMap((field) => {
      const doubling = field.number === GRAPH.node ? readDoubling(field, tensors) : null;
      return doubling === null ? [field.bytes] : productsOf(doubling);
    });
  });
}

function readDoubling(field: Field, tensors: ReadonlyMap<string, WeightTensor>): Doubling | null {
  const node = readNode(field.content);
  const weights = tensors.get(node.inputs[1] ?? "");
  if (node.operator !== "ConvTranspose" || weights?.elementType !== ELEMENT.float32) return null;
  const { strides, dilations, pads, group, output_padding } = node.integers;
  const shape = [weights.shape[0], 1, KERNEL].join();
  const isDoubling = `${strides} ${dilations} ${pads} ${output_padding}` === "2 1 1,1 1" && group === weights.shape[0];
  return isDoubling && weights.shape.join() === shape ? { node, weights } : null;
}

function productsOf({ node, weights }: Doubling): Uint8Array[] {
  const channels = weights.shape[0] ?? 0;
  const [input = "", , bias = ""] = node.inputs;
  const made: Uint8Array[] = [];
  const named = (name: string) => `${node.name}/${name}`;
  const add = (operator: string, inputs: string[], output: string, integers: GraphNode["integers"] = {}): string => {
    made.push(writeNode({ name: output, operator, inputs, outputs: [output], integers }));
    return output;
  };
  const addTensor = (name: string, elementType: number, shape: number[], values: Float32Array | BigInt64Array) => {
    const bytes = new Uint8Array(values.buffer);
    made.push(writeTensor({ name: named(name), elementType, shape, bytes }));
    return named(name);
  };
  const addIndexes = (name: string, values: number[]): string =>
    addTensor(name, ELEMENT.int64, [values.length], BigInt64Array.from(values, BigInt));
  // A copy, because floats must be aligned.
  const all = new Float32Array(Uint8Array.from(weights.bytes).buffer);
  const addWeights = (tap: number): string => {
    const column = Float32Array.from({ length: channels }, (_, channel) => all[channel * KERNEL + tap] as number);
    return addTensor(`weights${tap}`, ELEMENT.float32, [channels, 1], column);
  };
  const multiply = (rows: string, tap: number): string => add("Mul", [rows, addWeights(tap)], named(`product${tap}`));

  const time = addIndexes("time", [2]);
  const [one, end] = [addIndexes("one", [1]), addIndexes("end", [Number.MAX_SAFE_INTEGER])];
  const padded = add("Pad", [input, addIndexes("pads", [0, 0, 0, 0, 0, 1])], named("padded"));
  const later = add("Slice", [padded, one, end, time], named("later"));
  const odd = add("Add", [multiply(input, 2), multiply(later, 0)], named("odd"));
  const last = addIndexes("last", [3]);
  const pair = [multiply(input, 1), odd].map((rows, at) => add("Unsqueeze", [rows, last], named(`column${at}`)));
  const pairs = add("Concat", pair, named("pairs"), { axis: 3 });
  const shape = addIndexes("shape", [1, channels, -1]);
  const output = node.outputs[0] ?? "";
  if (bias === "") add("Reshape", [pairs, shape], output);
  else {
    const doubled = add("Reshape", [pairs, shape], named("doubled"));
    const column = add("Unsqueeze", [bias, one], named("bias"));
    add("Add", [doubled, column], output);
  }
  return made;
}
