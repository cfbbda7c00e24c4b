import { editGraph } from "./onnx-graph.ts";
import { ELEMENT, type Field, GRAPH, type GraphNode, readNode, type WeightTensor } from "./onnx-messages.ts";
import { ReplacementNodes, readWeights } from "./replacement-nodes.ts";

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
    const tensors = readWeights(graph);
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
  const made = new ReplacementNodes(node);
  // A copy, because floats must be aligned.
  const all = new Float32Array(Uint8Array.from(weights.bytes).buffer);
  const addWeights = (tap: number): string => {
    const column = Float32Array.from({ length: channels }, (_, channel) => all[channel * KERNEL + tap] as number);
    return made.addTensor(`weights${tap}`, ELEMENT.float32, [channels, 1], new Uint8Array(column.buffer));
  };
  const multiply = (rows: string, tap: number): string =>
    made.add("Mul", [rows, addWeights(tap)], made.named(`product${tap}`));

  const time = made.addIndexes("time", [2]);
  const [one, end] = [made.addIndexes("one", [1]), made.addIndexes("end", [Number.MAX_SAFE_INTEGER])];
  const padded = made.add("Pad", [input, made.addIndexes("pads", [0, 0, 0, 0, 0, 1])], made.named("padded"));
  const later = made.add("Slice", [padded, one, end, time], made.named("later"));
  const odd = made.add("Add", [multiply(input, 2), multiply(later, 0)], made.named("odd"));
  const last = made.addIndexes("last", [3]);
  const pair = [multiply(input, 1), odd].map((rows, at) =>
    made.add("Unsqueeze", [rows, last], made.named(`column${at}`)),
  );
  const pairs = made.add("Concat", pair, made.named("pairs"), { axis: 3 });
  const shape = made.addIndexes("shape", [1, channels, -1]);
  const output = node.outputs[0] ?? "";
  if (bias === "") made.add("Reshape", [pairs, shape], output);
  else {
    const doubled = made.add("Reshape", [pairs, shape], made.named("doubled"));
    const column = made.add("Unsqueeze", [bias, one], made.named("bias"));
    made.add("Add", [doubled, column], output);
  }
  return made.fields;
}
